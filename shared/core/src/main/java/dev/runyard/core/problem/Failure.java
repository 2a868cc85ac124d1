package dev.runyard.core.problem;

import java.util.Objects;

/// Why an attempt or a run ended without success. `message` is safe to show: it never contains a
/// raw line of an agent's output (DR-0005), and it says what to do.
public record Failure(String code, Category category, String message) {
  public static final String CANCELLED = "cancelled";
  public static final String TIMED_OUT = "timed_out";
  public static final String AWAIT_TIMED_OUT = "await_timed_out";
  public static final String IDLE_TIMEOUT = "idle_timeout";
  public static final String MAX_TURNS_REACHED = "max_turns_reached";
  public static final String MAX_TOKENS_REACHED = "max_tokens_reached";
  public static final String MAX_COST_REACHED = "max_cost_reached";
  public static final String RUNNER_LOST = "runner_lost";
  public static final String WORKSPACE_NOT_KEPT = "workspace_not_kept";
  public static final String CLONE_FAILED = "clone_failed";
  public static final String REPOSITORY_REFUSED = "repository_refused";
  public static final String REF_NOT_FOUND = "ref_not_found";
  public static final String WORKSPACE_TOO_LARGE = "workspace_too_large";
  public static final String WORKSPACE_NOT_FOUND = "workspace_not_found";
  public static final String UPLOAD_UNAVAILABLE = "upload_unavailable";
  public static final String UPLOAD_REFUSED = "upload_refused";
  public static final String SETUP_FAILED = "setup_failed";
  public static final String NOTHING_TO_PUBLISH = "nothing_to_publish";
  public static final String BRANCH_EXISTS = "branch_exists";
  public static final String BRANCH_MOVED = "branch_moved";
  public static final String PUSH_REFUSED = "push_refused";
  public static final String PUBLISH_NOT_ALLOWED = "publish_not_allowed";
  public static final String PULL_REQUEST_REFUSED = "pull_request_refused";
  public static final String PUBLISH_FAILED = "publish_failed";
  public static final String RUNNER_STOPPED = "runner_stopped";
  public static final String LAUNCH_FAILED = "launch_failed";
  public static final String SECRET_UNAVAILABLE = "secret_unavailable";
  public static final String PROCESS_LIMIT_REACHED = "process_limit_reached";
  public static final String MEMORY_LIMIT_REACHED = "memory_limit_reached";
  public static final String DISK_LIMIT_REACHED = "disk_limit_reached";
  public static final String FILE_COUNT_LIMIT_REACHED = "file_count_limit_reached";
  public static final String FILE_SIZE_LIMIT_REACHED = "file_size_limit_reached";
  public static final String NETWORK_NOT_ENFORCED = "network_not_enforced";
  public static final String RUNNER_START_FAILED = "runner_start_failed";
  public static final String NOT_STARTED = "not_started";

  public Failure {
    Objects.requireNonNull(code);
    Objects.requireNonNull(category);
    Objects.requireNonNull(message);
  }

  /// Nobody answered a question without which the run cannot continue.
  public static Failure notAnswered() {
    return new Failure(
        AWAIT_TIMED_OUT,
        Category.CALLER,
        "Nobody answered the agent in time. Submit again and answer, or let it ask for longer.");
  }

  public static Failure backend(String code, String message) {
    return new Failure(code, Category.BACKEND, message);
  }
}
