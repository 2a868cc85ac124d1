package dev.runyard.core.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.action.DecisionReader;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.submit.InThreadReader;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.thread.ThreadKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads the body of a command: `{"command", "params"}`. Whatever is wrong with it is named by a
/// pointer into the body.
public final class RuntimeCommandReader {
  private static final String PARAMS = "params";
  private static final Set<String> MEMBERS = Set.of("command", PARAMS);

  private final RunRequestReader requests;

  public RuntimeCommandReader(RunRequestReader requests) {
    this.requests = requests;
  }

  /// What the body turned out to be.
  public sealed interface Result {
    record Read(String name, RuntimeCommand command) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  public Result read(byte[] body) {
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected rejected -> new Result.Rejected(rejected.problem());
      case JsonBody.Result.Read read -> read(read.object());
    };
  }

  private Result read(ObjectNode body) {
    JsonFields members = JsonFields.of(body, MEMBERS);
    String name = members.requiredText("command");
    if (members.problem().isEmpty() && !CommandNames.all().contains(name)) {
      members.refuse(
          "command",
          "There is no such command. Those that do something: %s."
              .formatted(String.join(", ", CommandNames.BUILT)));
    }
    members.object(PARAMS);
    if (members.problem().isPresent()) {
      return new Result.Rejected(members.problem().get());
    }
    ObjectNode params =
        body.path(PARAMS) instanceof ObjectNode given
            ? given
            : JsonNodeFactory.instance.objectNode();
    return switch (name) {
      case "submit_turn" -> submit(name, params);
      case "respond_action" -> respond(name, params);
      case "interrupt_turn" ->
          interrupt(
              name, members(params, "thread_id", "session_id", "turn_id", "queued", "reason"));
      case "remove_queued_turn" -> {
        JsonFields fields = members(params, "thread_id", "session_id", "turn_id");
        yield read(name, fields, new RuntimeCommand.RemoveQueuedTurn(thread(fields), turn(fields)));
      }
      case "promote_queued_turn" -> {
        JsonFields fields = members(params, "thread_id", "session_id", "turn_id");
        yield read(
            name, fields, new RuntimeCommand.PromoteQueuedTurn(thread(fields), turn(fields)));
      }
      case "resume_thread" -> {
        JsonFields fields = members(params, "thread_id", "session_id", "turn_id");
        Optional<String> turn =
            fields.has("turn_id") ? Optional.of(turn(fields)) : Optional.empty();
        yield read(name, fields, new RuntimeCommand.ResumeThread(thread(fields), turn));
      }
      case "rollback_thread" -> {
        JsonFields fields = members(params, "thread_id", "session_id", "turn_id");
        yield read(name, fields, new RuntimeCommand.RollbackThread(thread(fields), turn(fields)));
      }
      case "get_session" -> {
        JsonFields fields = members(params, "session_id", "limit", "cursor", "view");
        String session = fields.requiredText("session_id");
        yield read(name, fields, new RuntimeCommand.GetSession(session, window(fields)));
      }
      case "get_thread_read" -> {
        JsonFields fields = members(params, "thread_id", "session_id", "limit", "cursor", "view");
        yield read(name, fields, new RuntimeCommand.GetThreadRead(thread(fields), window(fields)));
      }
      case String task when TaskRequestParams.NAMES.contains(task) -> ofTask(name, params);
      case String _ ->
          JobCommandReader.read(name, params)
              .map(read -> ofJob(name, read))
              .orElseGet(() -> new Result.Read(name, new RuntimeCommand.Unavailable(name)));
    };
  }

  private static Result ofJob(String name, JobCommandReader.Result read) {
    return switch (read) {
      case JobCommandReader.Result.Rejected rejected ->
          new Result.Rejected(inParams(rejected.problem()));
      case JobCommandReader.Result.Read(RuntimeJobCommand command) ->
          new Result.Read(name, new RuntimeCommand.OfJob(command));
    };
  }

  private static JsonFields members(ObjectNode params, String... names) {
    return JsonFields.of(params, Set.of(names));
  }

  private static Result read(String name, JsonFields fields, RuntimeCommand command) {
    return fields
        .problem()
        .<Result>map(problem -> new Result.Rejected(inParams(problem)))
        .orElseGet(() -> new Result.Read(name, command));
  }

  private static Result ofTask(String name, ObjectNode params) {
    return switch (TaskRequestParams.read(name, params)) {
      case TaskRequestParams.Result.Rejected(Problem problem) ->
          new Result.Rejected(inParams(problem));
      case TaskRequestParams.Result.Read(TaskRequest request) ->
          new Result.Read(name, new RuntimeCommand.OfTask(request));
    };
  }

  private Result submit(String name, ObjectNode params) {
    return switch (requests.read(params)) {
      case RunRequestReader.Result.Rejected rejected ->
          new Result.Rejected(inParams(rejected.problem()));
      case RunRequestReader.Result.Accepted accepted ->
          new Result.Read(name, new RuntimeCommand.SubmitTurn(accepted.request(), accepted.body()));
    };
  }

  private static Result respond(String name, ObjectNode params) {
    JsonNode action = params.path("action_id");
    if (!action.isTextual()) {
      return new Result.Rejected(
          Problem.at(
              ProblemCode.INVALID_REQUEST,
              Pointer.of(PARAMS, "action_id"),
              action.isMissingNode() ? "action_id is required" : "action_id must be a string"));
    }
    ObjectNode decision = params.deepCopy();
    decision.remove("action_id");
    return switch (DecisionReader.read(decision)) {
      case DecisionReader.Result.Rejected rejected ->
          new Result.Rejected(inParams(rejected.problem()));
      case DecisionReader.Result.Accepted accepted ->
          new Result.Read(
              name,
              new RuntimeCommand.RespondAction(
                  action.textValue(), accepted.decision(), accepted.payload()));
    };
  }

  private static Result interrupt(String name, JsonFields fields) {
    String queued = fields.text("queued").orElse("keep");
    if (!queued.equals("keep") && !queued.equals("clear")) {
      fields.refuse("queued", "queued must be one of: keep | clear");
    }
    Optional<String> reason = fields.text("reason");
    if (reason
        .filter(text -> text.isBlank() || Bounds.bytes(text) > Limits.REASON_BYTES_MAX)
        .isPresent()) {
      fields.refuse(
          "reason",
          "reason must not be blank and must have at most %d bytes"
              .formatted(Limits.REASON_BYTES_MAX));
    }
    Optional<String> turn = fields.has("turn_id") ? Optional.of(turn(fields)) : Optional.empty();
    return read(
        name,
        fields,
        new RuntimeCommand.InterruptTurn(thread(fields), turn, queued.equals("clear"), reason));
  }

  /// The thread that is named, or the one that the named session has by itself.
  private static String thread(JsonFields fields) {
    Optional<String> session = fields.text("session_id");
    String thread = fields.text("thread_id").or(() -> session.map(TurnIds::threadOf)).orElse("");
    if (!fields.has("thread_id") && session.isEmpty()) {
      fields.refuse("thread_id", "thread_id is required, or session_id");
    } else if (fields.has("thread_id") && session.isPresent()) {
      fields.refuse("session_id", "Name the thread or the session, not both");
    } else if (!ThreadKey.isThreadId(thread)) {
      fields.refuse(fields.has("thread_id") ? "thread_id" : "session_id", "This is not a valid id");
    }
    return thread;
  }

  private static String turn(JsonFields fields) {
    String turn = fields.requiredText("turn_id");
    if (!InThreadReader.isTurnId(turn)) {
      fields.refuse("turn_id", "turn_id is not the name of a turn");
    }
    return turn;
  }

  static RuntimeCommand.Window window(JsonFields fields) {
    List<String> views = RuntimeCommand.Window.VIEWS;
    String view = fields.text("view").orElse(views.getFirst());
    if (!views.contains(view)) {
      fields.refuse("view", "view must be one of: " + String.join(" | ", views));
    }
    return new RuntimeCommand.Window(
        fields.whole(
            "limit", 1, RuntimeCommand.Window.LIMIT_MAX, RuntimeCommand.Window.LIMIT_DEFAULT),
        fields.text("cursor"),
        view);
  }

  private static Problem inParams(Problem problem) {
    List<String> pointers =
        problem.pointers().stream().map(pointer -> "/" + PARAMS + pointer).toList();
    return new Problem(problem.code(), problem.detail(), pointers);
  }
}
