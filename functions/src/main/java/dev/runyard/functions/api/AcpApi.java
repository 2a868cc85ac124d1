package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agentcommunication.AcpManifest;
import dev.runyard.core.agentcommunication.AcpMessages;
import dev.runyard.core.agentcommunication.AcpRun;
import dev.runyard.core.agentcommunication.AcpView;
import dev.runyard.core.agentcommunication.CreateRequestReader;
import dev.runyard.core.agentcommunication.ReadRun;
import dev.runyard.core.cancel.CancelRequestReader;
import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.session.SessionHistory;
import dev.runyard.core.transcript.RunMessages;
import dev.runyard.functions.http.AcpReplies;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The resources of the Agent Communication Protocol that are answered at once: all except those
/// that begin or resume a run, or list its events.
public final class AcpApi implements Resources<Endpoint> {
  private static final int AGENTS_MAX = 1000;
  private static final Set<String> PAGING = Set.of("limit", "offset");
  private static final Pattern RESOURCE = Pattern.compile("([0-9a-f-]{36})\\.([0-9]{1,9})");

  private final AgentCatalog catalog;
  private final EventLog log;
  private final ReadRun read;
  private final CancelRun cancel;
  private final SessionHistory sessions;

  public AcpApi(
      AgentCatalog catalog, EventLog log, ReadRun read, CancelRun cancel, SessionHistory sessions) {
    this.catalog = catalog;
    this.log = log;
    this.read = read;
    this.cancel = cancel;
    this.sessions = sessions;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.open("GET", "/ping", _ -> ping()),
        Route.get(Scope.AGENTS_READ, "/agents", this::agents),
        Route.get(Scope.AGENTS_READ, "/agents/{name}", request -> agent(request.named("name"))),
        Route.get(Scope.RUNS_READ, "/runs/{id}", this::run),
        Route.elsewhere("POST", "/runs/{id}"),
        Route.post(Scope.RUNS_WRITE, "/runs/{id}/cancel", this::cancel),
        Route.get(Scope.RUNS_READ, "/session/{id}", this::session),
        Route.get(Scope.RUNS_READ, "/sessions/{id}", this::session),
        Route.get(Scope.RUNS_READ, "/resources/{id}", this::resource));
  }

  private static Reply ping() {
    return Reply.json(200, JsonNodeFactory.instance.objectNode());
  }

  private Reply agents(ApiRequest request) {
    Map<String, List<String>> paging = new HashMap<>(request.parameters());
    paging.keySet().retainAll(PAGING);
    Query query = Query.of(paging, PAGING);
    long limit = query.whole("limit", 1, AGENTS_MAX, AGENTS_MAX);
    long offset = query.whole("offset", 0, Integer.MAX_VALUE, 0);
    if (query.problem().isPresent()) {
      return AcpReplies.error(query.problem().get());
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode agents = json.putArray("agents");
    catalog.all().stream()
        .filter(AcpApi::isNamed)
        .skip(offset)
        .limit(limit)
        .map(AcpManifest::json)
        .forEach(agents::add);
    return Reply.json(200, json);
  }

  /// The protocol cannot name a kind whose own name is too long or ends in an underscore.
  private static boolean isNamed(AgentManifest manifest) {
    return CreateRequestReader.isName(manifest.kind().name());
  }

  private Reply agent(String name) {
    return catalog
        .find(name)
        .filter(AcpApi::isNamed)
        .map(manifest -> Reply.json(200, AcpManifest.json(manifest)))
        .orElseGet(
            () ->
                AcpReplies.notFound(
                    "Agent", CreateRequestReader.isName(name) ? name : "of this name"));
  }

  private Reply run(ApiRequest request) {
    return switch (AcpReplies.run(request)) {
      case AcpReplies.Named.Nothing nothing -> nothing.reply();
      case AcpReplies.Named.Run named when read.isTooLong(named.run()) -> tooLong();
      case AcpReplies.Named.Run named ->
          read.now(named.run())
              .map(json -> AcpReplies.run(200, json))
              .orElseGet(() -> AcpReplies.notFound("Run", named.run().runId()));
    };
  }

  private static Reply tooLong() {
    return AcpReplies.error(ProblemCode.RESPONSE_TOO_LARGE, ReadRun.TOO_LONG);
  }

  private Reply cancel(ApiRequest request) {
    return switch (AcpReplies.run(request)) {
      case AcpReplies.Named.Nothing nothing -> nothing.reply();
      case AcpReplies.Named.Run named ->
          switch (cancel.cancel(
              named.run(), CancelRequestReader.REASON_DEFAULT, request.caller().requester())) {
            case CancelRun.Result.Rejected rejected -> AcpReplies.error(rejected.problem());
            case CancelRun.Result.Accepted done when done.run().sequence() > ReadRun.EVENTS_MAX ->
                AcpReplies.run(202, AcpView.accepted(done.run()));
            case CancelRun.Result.Accepted done ->
                AcpReplies.run(202, read.at(named.run(), done.run().sequence()).orElseThrow());
          };
    };
  }

  private Reply session(ApiRequest request) {
    String session = request.named("id").toLowerCase(Locale.ROOT);
    if (!AcpRun.isUuid(session)) {
      return AcpReplies.noId("session_id");
    }
    Optional<List<SessionHistory.Entry>> entries = sessions.of(request.caller().tenant(), session);
    if (entries.isEmpty()) {
      return AcpReplies.notFound("Session", session);
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("id", session);
    ArrayNode history = json.putArray("history");
    Map<RunKey, Integer> count = new HashMap<>();
    for (SessionHistory.Entry entry : entries.get()) {
      int number = count.merge(entry.run(), 1, Integer::sum);
      history.add("%s/resources/%s.%d".formatted(request.base(), entry.run().runId(), number - 1));
    }
    return Reply.json(200, json);
  }

  /// `<runId>.<n>`: the n-th message of a run, its input before its output.
  private Reply resource(ApiRequest request) {
    String id = request.named("id");
    Matcher matcher = RESOURCE.matcher(id);
    if (!matcher.matches() || !RunKey.isRunId(matcher.group(1))) {
      return AcpReplies.error(ProblemCode.NOT_FOUND, "There is no resource of this id.");
    }
    RunKey run = new RunKey(request.caller().tenant(), matcher.group(1));
    if (read.isTooLong(run)) {
      return tooLong();
    }
    RunMessages said = RunMessages.of(events(run));
    List<Message> all = new ArrayList<>(said.input());
    all.addAll(said.output());
    int number = Integer.parseInt(matcher.group(2));
    return number < all.size()
        ? Reply.json(200, AcpMessages.json(all.get(number)))
        : AcpReplies.notFound("Resource", id);
  }

  private List<StoredEvent> events(RunKey run) {
    List<StoredEvent> events = new ArrayList<>();
    EventCursor<StoredEvent> cursor = new EventCursor<>(log, EventCodec.RUNS, run, 0);
    for (List<StoredEvent> next = cursor.next(); !next.isEmpty(); next = cursor.next()) {
      events.addAll(next);
    }
    return events;
  }
}
