package dev.runyard.core.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.problem.Reached;

/// A refusal as RFC 9457 problem details, with the stable `code` to program against, the `category`
/// that says who can fix it, and pointers to the offending members of the body.
public final class ProblemJson {
  public static final String CONTENT_TYPE = "application/problem+json";

  private ProblemJson() {}

  public static ObjectNode of(Problem problem) {
    ProblemCode code = problem.code();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("type", "urn:runyard:problem:" + code.code().replace('_', '-'));
    json.put("title", title(code));
    json.put("status", code.status());
    json.put("detail", detail(problem));
    json.put("code", code.code());
    json.put("category", code.category().wire());
    ArrayNode errors = json.putArray("errors");
    problem.pointers().forEach(pointer -> errors.addObject().put("pointer", pointer));
    Reached reached = problem.reached();
    if (reached != null) {
      json.put("limit", reached.limit()).put("value", reached.value());
    }
    return json;
  }

  /// The problem's detail as a sentence, with what to do added where a protocol's fixed text does
  /// not say it.
  private static String detail(Problem problem) {
    String sentence = problem.detail().endsWith(".") ? problem.detail() : problem.detail() + ".";
    return switch (problem.code()) {
      case UNKNOWN_BACKEND -> sentence + " GET /v1/agents lists the agents there are.";
      case UNSUPPORTED_CAPABILITY ->
          sentence + " GET /v1/agents/{kind} lists what an agent supports.";
      case MALFORMED_JSON,
          INVALID_REQUEST,
          INVALID_AGENT_KIND,
          INVALID_CURSOR,
          UNAUTHENTICATED,
          SCOPE_MISSING,
          FORBIDDEN_ORIGIN,
          SIGNED_ACCESS,
          NO_TENANT,
          FOREIGN_TENANT,
          ABOVE_CEILING,
          QUOTA_REACHED,
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
          RUN_CLOSED,
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
          TURN_NOT_QUEUED,
          BODY_TOO_LARGE,
          RESPONSE_TOO_LARGE,
          UNSUPPORTED_MEDIA_TYPE,
          IDEMPOTENCY_MISMATCH,
          UNAVAILABLE,
          INTERNAL ->
          sentence;
    };
  }

  private static String title(ProblemCode code) {
    String words = code.code().replace('_', ' ').replace("json", "JSON");
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }
}
