package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.submit.FirstChunk;
import dev.runyard.core.submit.RunRequestReader;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the protocol's request for a new run. Its optional `config`, which is Runyard's own, holds
/// the members of a native submit other than agent, prompt and session, by the same rules.
public final class CreateRequestReader {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-_a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern OWN_HISTORY =
      Pattern.compile(".*/resources/([0-9a-f-]{36})\\.[0-9]{1,9}");
  private static final Set<String> MODES = Set.of("sync", "async", "stream");
  private static final List<String> NOT_CONFIG = List.of("agent", "prompt", "session_id");

  private final RunRequestReader requests;
  private final AgentCatalog catalog;

  public CreateRequestReader(RunRequestReader requests, AgentCatalog catalog) {
    this.requests = requests;
    this.catalog = catalog;
  }

  /// What the body turned out to be.
  public sealed interface Result {
    /// A run to begin.
    ///
    /// @param history the runs whose messages the session's history contains, according to the
    ///   client
    record Accepted(RunRequest request, RunMode mode, ObjectNode body, Set<String> history)
        implements Result {
      public Accepted {
        history = Set.copyOf(history);
      }
    }

    record Rejected(AcpError error) implements Result {}
  }

  /// True for a valid agent name: the protocol's grammar, and underscores.
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  public Result read(byte[] bytes) {
    return switch (JsonBody.read(bytes)) {
      case JsonBody.Result.Rejected rejected ->
          new Result.Rejected(AcpError.of(rejected.problem()));
      case JsonBody.Result.Read read -> read(read.object());
    };
  }

  private Result read(ObjectNode body) {
    RequestFields reading = new RequestFields();
    String agent = agent(reading, body);
    List<Message> input =
        new MessageBody(reading).messages(reading.list(body, "", "input"), "/input");
    if (input.isEmpty()) {
      reading.refuse("/input", "input must have at least one message");
    }
    RunMode mode =
        reading.choice(body, "", "mode", MODES).flatMap(RunMode::ofWire).orElse(RunMode.SYNC);
    Optional<String> session = session(reading, body);
    Set<String> history = history(reading, body.path("session"));
    ObjectNode request = config(reading, body);
    request.put("agent", agent).put("prompt", AcpPrompt.of(input));
    session.ifPresent(id -> request.put("session_id", id));
    return reading
        .error()
        .<Result>map(Result.Rejected::new)
        .orElseGet(
            () ->
                switch (requests.read(request)) {
                  case RunRequestReader.Result.Rejected rejected ->
                      new Result.Rejected(AcpError.of(inConfig(rejected.problem())));
                  case RunRequestReader.Result.Accepted accepted ->
                      accepted(accepted.request(), input, mode, body, history);
                });
  }

  private static Result accepted(
      RunRequest request, List<Message> input, RunMode mode, ObjectNode body, Set<String> history) {
    RunRequest whole = request.with(input);
    return FirstChunk.fits(whole)
        ? new Result.Accepted(whole, mode, body, history)
        : new Result.Rejected(AcpError.of(FirstChunk.tooLarge()));
  }

  private String agent(RequestFields reading, ObjectNode body) {
    String agent = reading.required(body, "", "agent_name");
    if (!isName(agent)) {
      reading.refuse("/agent_name", "agent_name is not a valid name of an agent");
    } else if (catalog.find(agent).isEmpty()) {
      reading.refuse(
          AcpError.of(Problem.of(ProblemCode.UNKNOWN_BACKEND, "Agent " + agent + " not found")));
    }
    return agent;
  }

  /// The session that the two members name.
  private static Optional<String> session(RequestFields reading, ObjectNode body) {
    Optional<String> id = reading.uuid(body, "", "session_id");
    Optional<ObjectNode> session = reading.object(body, "", "session");
    if (session.isEmpty()) {
      return id;
    }
    Optional<String> own = reading.uuid(session.get(), "/session", "id");
    if (own.isEmpty()) {
      reading.refuse("/session/id", "id is required");
    }
    if (id.isPresent() && !id.equals(own)) {
      reading.refuse(AcpError.sessionMismatch());
    }
    if (session.get().hasNonNull("state")) {
      reading.refuse("/session/state", "a session's state is not kept");
    }
    return own;
  }

  /// The runs whose messages the session has as its history. History this server did not write is
  /// refused rather than ignored: to read it, the server would have to fetch any address a client
  /// names.
  private static Set<String> history(RequestFields reading, JsonNode session) {
    Set<String> runs = new HashSet<>();
    if (session.hasNonNull("history")) {
      for (JsonNode uri : reading.list(session, "/session", "history")) {
        Matcher own = OWN_HISTORY.matcher(uri.asText());
        if (own.matches() && RunKey.isRunId(own.group(1))) {
          runs.add(own.group(1));
        } else {
          reading.refuse(foreignHistory());
        }
      }
    }
    return runs;
  }

  /// The refusal of history that is not of this server's runs.
  public static AcpError foreignHistory() {
    return AcpError.of(
        Problem.at(
            ProblemCode.INVALID_REQUEST,
            "/session/history",
            "history kept by another server is not read"));
  }

  private static ObjectNode config(RequestFields reading, ObjectNode body) {
    ObjectNode config =
        reading.object(body, "", "config").map(ObjectNode::deepCopy).orElseGet(body::objectNode);
    for (String name : NOT_CONFIG) {
      if (config.has(name)) {
        reading.refuse(Pointer.of("config", name), name + " is not a member of config");
      }
    }
    return config;
  }

  private static Problem inConfig(Problem problem) {
    return new Problem(
        problem.code(),
        problem.detail(),
        problem.pointers().stream().map(pointer -> "/config" + pointer).toList());
  }
}
