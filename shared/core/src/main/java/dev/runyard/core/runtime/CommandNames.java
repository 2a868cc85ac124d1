package dev.runyard.core.runtime;

import java.util.List;
import java.util.stream.Stream;

/// The names of the commands: those of the standard, and those it has no name for though its events
/// and scenarios need them.
public final class CommandNames {
  /// The commands that do something here.
  public static final List<String> BUILT =
      List.of(
          "submit_turn",
          "interrupt_turn",
          "remove_queued_turn",
          "promote_queued_turn",
          "resume_thread",
          "rollback_thread",
          "respond_action",
          "get_session",
          "get_thread_read",
          "create_job",
          "list_jobs",
          "get_job",
          "cancel_job",
          "add_job_items",
          "start_job",
          "retry_job_item",
          "report_job_item",
          "create_task",
          "update_task",
          "start_task",
          "append_task_progress",
          "pause_task",
          "resume_task",
          "cancel_task",
          "retry_task",
          "complete_task",
          "fail_task",
          "list_tasks",
          "get_task",
          "link_tasks",
          "unlink_tasks",
          "archive_task");

  /// The others, which answer that they are unavailable.
  public static final List<String> UNAVAILABLE =
      List.of(
          "get_tool_inventory",
          "spawn_subagent",
          "send_subagent_input",
          "wait_subagents",
          "resume_subagent",
          "close_subagent",
          "list_subagents",
          "export_evidence",
          "export_replay",
          "export_review",
          "evaluate_permission",
          "resolve_permission",
          "get_execution_environment",
          "write_process_stdin",
          "terminate_process",
          "reconnect_channel",
          "ack_events",
          "start_benchmark_trial",
          "record_benchmark_reward",
          "export_benchmark_trial",
          "compare_benchmark_runs");

  private CommandNames() {}

  /// All of them.
  public static List<String> all() {
    return Stream.concat(BUILT.stream(), UNAVAILABLE.stream()).toList();
  }
}
