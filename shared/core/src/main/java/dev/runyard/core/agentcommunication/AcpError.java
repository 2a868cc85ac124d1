package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.problem.Reached;
import java.util.Optional;
import java.util.Set;

/// An error in the protocol's form: one of its three codes, and Runyard's own code in `data`.
///
/// @param status of the HTTP response it is the body of
public record AcpError(int status, ObjectNode json) {
  public static final String SERVER_ERROR = "server_error";
  public static final String INVALID_INPUT = "invalid_input";
  public static final String NOT_FOUND = "not_found";

  private static final int UNPROCESSABLE = 422;
  private static final int FORBIDDEN = 403;
  private static final Set<String> CODES = Set.of(SERVER_ERROR, INVALID_INPUT, NOT_FOUND);

  /// The answer to a request that was refused.
  public static AcpError of(Problem problem) {
    ProblemCode code = problem.code();
    int status = status(code);
    ObjectNode json = json(code(status), problem.detail(), code.code());
    ObjectNode data = (ObjectNode) json.get("data");
    if (!problem.pointers().isEmpty()) {
      var pointers = data.putArray("pointers");
      problem.pointers().forEach(pointers::add);
    }
    Reached reached = problem.reached();
    if (reached != null) {
      data.put("limit", reached.limit()).put("value", reached.value());
    }
    return new AcpError(status, json);
  }

  /// `session_id` and `session` name two sessions.
  public static AcpError sessionMismatch() {
    return new AcpError(400, json(INVALID_INPUT, "Session ID mismatch", "session_mismatch"));
  }

  /// The run's state does not allow the request.
  public static AcpError forbidden(String message) {
    return new AcpError(FORBIDDEN, json(SERVER_ERROR, message, "forbidden"));
  }

  /// The event that ends an interrupted stream, with this error in it.
  public ObjectNode event() {
    return JsonNodeFactory.instance.objectNode().put("type", "error").set("error", json);
  }

  /// The `error` of a run. An agent itself may fail with one of the protocol's codes.
  public static ObjectNode of(Failure failure) {
    return json(
        Optional.of(failure.code()).filter(CODES::contains).orElse(SERVER_ERROR),
        failure.message(),
        failure.code());
  }

  static ObjectNode json(String code, String message, String own) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("code", code).put("message", message).putObject("data").put("code", own);
    return json;
  }

  private static String code(int status) {
    return switch (status) {
      case 400, UNPROCESSABLE -> INVALID_INPUT;
      case 404 -> NOT_FOUND;
      default -> SERVER_ERROR;
    };
  }

  private static int status(ProblemCode code) {
    return switch (code) {
      case MALFORMED_JSON,
          INVALID_REQUEST,
          INVALID_AGENT_KIND,
          UNSUPPORTED_CAPABILITY,
          INVALID_CURSOR,
          UNSUPPORTED_MEDIA_TYPE,
          IDEMPOTENCY_MISMATCH ->
          UNPROCESSABLE;
      case RUN_CLOSED,
          RUN_NOT_ENDED,
          UPLOAD_INCOMPLETE,
          UPLOADS_FULL,
          KEYS_FULL,
          WEBHOOKS_FULL,
          WEBHOOK_DISABLED,
          HOOKS_FULL,
          JOB_CLOSED,
          TASK_CLOSED,
          TASK_CYCLE,
          TASK_BLOCKED,
          TASK_FULL,
          JOB_FULL,
          ITEM_NOT_FAILED,
          ACTION_DECIDED,
          INBOX_FULL,
          SESSION_FULL,
          THREAD_BUSY,
          TURN_NOT_QUEUED ->
          FORBIDDEN;
      case UNKNOWN_BACKEND,
          RUN_NOT_FOUND,
          SESSION_NOT_FOUND,
          THREAD_NOT_FOUND,
          TURN_NOT_FOUND,
          ACTION_NOT_FOUND,
          OUTPUT_NOT_FOUND,
          CHANGES_NOT_FOUND,
          WORKSPACE_NOT_FOUND,
          UPLOAD_NOT_FOUND,
          KEY_NOT_FOUND,
          WEBHOOK_NOT_FOUND,
          DELIVERY_NOT_FOUND,
          HOOK_NOT_FOUND,
          JOB_NOT_FOUND,
          TASK_NOT_FOUND,
          ITEM_NOT_FOUND,
          NOT_FOUND,
          METHOD_NOT_ALLOWED,
          BODY_TOO_LARGE,
          RESPONSE_TOO_LARGE,
          UNAVAILABLE,
          UNAUTHENTICATED,
          SCOPE_MISSING,
          FORBIDDEN_ORIGIN,
          SIGNED_ACCESS,
          NO_TENANT,
          FOREIGN_TENANT,
          ABOVE_CEILING,
          QUOTA_REACHED,
          INTERNAL ->
          code.status();
    };
  }
}
