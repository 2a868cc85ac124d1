package dev.runyard.core.problem;

/// The closed list of refusal codes, each with its HTTP status and category.
public enum ProblemCode {
  MALFORMED_JSON("malformed_json", 400, Category.CALLER),
  INVALID_REQUEST("invalid_request", 400, Category.CALLER),
  INVALID_AGENT_KIND("invalid_agent_kind", 400, Category.CALLER),
  UNSUPPORTED_CAPABILITY("unsupported_capability", 400, Category.CALLER),
  INVALID_CURSOR("invalid_cursor", 400, Category.CALLER),
  SIGNED_ACCESS("signed_access", 400, Category.CALLER),
  UNAUTHENTICATED("unauthenticated", 401, Category.CALLER),
  SCOPE_MISSING("scope_missing", 403, Category.CALLER),
  FORBIDDEN_ORIGIN("forbidden_origin", 403, Category.CALLER),
  NO_TENANT("no_tenant", 403, Category.CALLER),
  FOREIGN_TENANT("foreign_tenant", 403, Category.CALLER),
  ABOVE_CEILING("above_ceiling", 403, Category.CALLER),
  UNKNOWN_BACKEND("unknown_backend", 404, Category.CALLER),
  RUN_NOT_FOUND("run_not_found", 404, Category.CALLER),
  SESSION_NOT_FOUND("session_not_found", 404, Category.CALLER),
  THREAD_NOT_FOUND("thread_not_found", 404, Category.CALLER),
  TURN_NOT_FOUND("turn_not_found", 404, Category.CALLER),
  ACTION_NOT_FOUND("action_not_found", 404, Category.CALLER),
  OUTPUT_NOT_FOUND("output_not_found", 404, Category.CALLER),
  CHANGES_NOT_FOUND("changes_not_found", 404, Category.CALLER),
  WORKSPACE_NOT_FOUND("workspace_not_found", 404, Category.CALLER),
  UPLOAD_NOT_FOUND("upload_not_found", 404, Category.CALLER),
  KEY_NOT_FOUND("key_not_found", 404, Category.CALLER),
  WEBHOOK_NOT_FOUND("webhook_not_found", 404, Category.CALLER),
  DELIVERY_NOT_FOUND("delivery_not_found", 404, Category.CALLER),
  HOOK_NOT_FOUND("hook_not_found", 404, Category.CALLER),
  JOB_NOT_FOUND("job_not_found", 404, Category.CALLER),
  TASK_NOT_FOUND("task_not_found", 404, Category.CALLER),
  ITEM_NOT_FOUND("item_not_found", 404, Category.CALLER),
  NOT_FOUND("not_found", 404, Category.CALLER),
  METHOD_NOT_ALLOWED("method_not_allowed", 405, Category.CALLER),
  RUN_CLOSED("run_closed", 409, Category.CALLER),
  RUN_NOT_ENDED("run_not_ended", 409, Category.CALLER),
  UPLOAD_INCOMPLETE("upload_incomplete", 409, Category.CALLER),
  UPLOADS_FULL("uploads_full", 409, Category.CALLER),
  KEYS_FULL("keys_full", 409, Category.CALLER),
  WEBHOOKS_FULL("webhooks_full", 409, Category.CALLER),
  WEBHOOK_DISABLED("webhook_disabled", 409, Category.CALLER),
  HOOKS_FULL("hooks_full", 409, Category.CALLER),
  JOB_CLOSED("job_closed", 409, Category.CALLER),
  JOB_FULL("job_full", 409, Category.CALLER),
  TASK_CLOSED("task_closed", 409, Category.CALLER),
  TASK_CYCLE("task_cycle", 409, Category.CALLER),
  TASK_BLOCKED("task_blocked", 409, Category.CALLER),
  TASK_FULL("task_full", 409, Category.CALLER),
  ITEM_NOT_FAILED("item_not_failed", 409, Category.CALLER),
  ACTION_DECIDED("action_decided", 409, Category.CALLER),
  INBOX_FULL("inbox_full", 409, Category.CALLER),
  SESSION_FULL("session_full", 409, Category.CALLER),
  THREAD_BUSY("thread_busy", 409, Category.CALLER),
  TURN_NOT_QUEUED("turn_not_queued", 409, Category.CALLER),
  BODY_TOO_LARGE("body_too_large", 413, Category.CALLER),
  RESPONSE_TOO_LARGE("response_too_large", 413, Category.CALLER),
  UNSUPPORTED_MEDIA_TYPE("unsupported_media_type", 415, Category.CALLER),
  IDEMPOTENCY_MISMATCH("idempotency_mismatch", 422, Category.CALLER),
  QUOTA_REACHED("quota_reached", 429, Category.CAPACITY),
  UNAVAILABLE("unavailable", 503, Category.CAPACITY),
  INTERNAL("internal_error", 500, Category.INTERNAL);

  private final String code;
  private final int status;
  private final Category category;

  ProblemCode(String code, int status, Category category) {
    this.code = code;
    this.status = status;
    this.category = category;
  }

  public String code() {
    return code;
  }

  public int status() {
    return status;
  }

  public Category category() {
    return category;
  }
}
