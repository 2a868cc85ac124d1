package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.cancel.CancelRequestReader;
import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.RunStatus;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.view.RunJson;
import dev.runyard.functions.http.ETags;
import dev.runyard.functions.http.KeyedSubmit;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The resources under `/v1/runs`. A run is read from its log and is never older than what was
/// acknowledged; a list is read from the read models and may lag behind.
public final class RunsApi implements Resources<Endpoint> {
  private static final String SUBMIT_ROUTE = "POST /v1/runs";
  private static final int LIST_DEFAULT = 50;

  /// `strong` on a run, `eventual` on a list, which may not yet show what was just acknowledged.
  private static final String CONSISTENCY = "Runyard-Consistency";

  private final RunRequestReader reader;
  private final KeyedSubmit submit;
  private final CancelRun cancel;
  private final RunLog runs;
  private final ReadModels models;

  public RunsApi(
      RunRequestReader reader, SubmitRun submit, CancelRun cancel, RunLog runs, ReadModels models) {
    this.reader = reader;
    this.submit = new KeyedSubmit(SUBMIT_ROUTE, submit);
    this.cancel = cancel;
    this.runs = runs;
    this.models = models;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.post(Scope.RUNS_WRITE, "/v1/runs", Endpoint.plain(this::submit)),
        Route.get(Scope.RUNS_READ, "/v1/runs", this::list),
        Route.get(Scope.RUNS_READ, "/v1/runs/{id}", this::get),
        Route.post(Scope.RUNS_WRITE, "/v1/runs/{id}/cancel", Endpoint.plain(this::cancel)));
  }

  private Reply submit(ApiRequest request) {
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return switch (reader.read(request.bytes())) {
      case RunRequestReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case RunRequestReader.Result.Accepted accepted ->
          switch (submit.submit(request, accepted.request(), accepted.body())) {
            case SubmitRun.Result.Rejected rejected -> Reply.of(rejected.problem());
            case SubmitRun.Result.Accepted done ->
                Reply.json(202, RunJson.of(done.run()))
                    .with("Location", request.url() + "/" + done.run().facts().run().runId());
          };
    };
  }

  private Reply list(ApiRequest request) {
    String tenant = request.caller().tenant();
    Query query = request.query("status", "agent", "session_id", "limit", "cursor");
    RunFilter filter =
        new RunFilter(
            query.text("status").orElse(null),
            query.text("agent").orElse(null),
            query.text("session_id").orElse(null));
    check(query, filter);
    int limit = (int) query.whole("limit", 1, ReadModels.LIST_MAX, LIST_DEFAULT);
    Optional<String> after =
        query.text("cursor").flatMap(cursor -> ListCursor.decode(tenant, filter, cursor));
    if (query.text("cursor").isPresent() && after.isEmpty()) {
      query.refuse(
          ProblemCode.INVALID_CURSOR,
          "cursor must be a next_cursor of the same list, with the same filters.");
    }
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    RunPage page = models.list(tenant, filter, limit, after);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    page.runs().stream().map(RunJson::of).forEach(json.putArray("runs")::add);
    json.put(
        "next_cursor", page.next().map(id -> ListCursor.encode(tenant, filter, id)).orElse(null));
    return Reply.json(200, json).with(CONSISTENCY, "eventual");
  }

  private Reply get(ApiRequest request) {
    return request.ofRun(runs, run -> shown(request, run));
  }

  private static Reply shown(ApiRequest request, RunState.Existing run) {
    String tag = "\"" + run.sequence() + "\"";
    Reply reply = ETags.has(request, tag) ? Reply.empty(304) : Reply.json(200, RunJson.of(run));
    return reply
        .with("ETag", tag)
        .with("Cache-Control", "private, no-cache")
        .with(CONSISTENCY, "strong");
  }

  private Reply cancel(ApiRequest request) {
    Optional<RunKey> run = request.run();
    if (run.isEmpty()) {
      return Reply.runNotFound();
    }
    if (request.body().isPresent() && !request.isJson()) {
      return Reply.notJson();
    }
    return switch (CancelRequestReader.read(request.bytes())) {
      case CancelRequestReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case CancelRequestReader.Result.Accepted accepted ->
          switch (cancel.cancel(run.get(), accepted.reason(), request.caller().requester())) {
            case CancelRun.Result.Accepted done -> Reply.json(202, RunJson.of(done.run()));
            case CancelRun.Result.Rejected rejected -> Reply.of(rejected.problem());
          };
    };
  }

  private static void check(Query query, RunFilter filter) {
    String status = filter.status();
    if (status != null
        && Arrays.stream(RunStatus.values()).noneMatch(known -> known.wire().equals(status))) {
      query.refuse(
          ProblemCode.INVALID_REQUEST,
          "status must be one of: %s."
              .formatted(
                  String.join(
                      " | ", Arrays.stream(RunStatus.values()).map(RunStatus::wire).toList())));
    }
    if (filter.agent() != null && !AgentKind.isKind(filter.agent())) {
      query.refuse(
          ProblemCode.INVALID_AGENT_KIND, "invalid agent kind: agent must be a name like codex");
    }
    if (filter.sessionId() != null && !RunRequestReader.isSessionId(filter.sessionId())) {
      query.refuse(ProblemCode.INVALID_REQUEST, "session_id is not a valid session id.");
    }
  }
}
