package dev.runyard.runner.isolation;

import java.util.List;

/// What a level does not keep an agent from, in one word each; docs/security.md explains them.
public final class NotEnforced {
  /// Every address that the runner reaches.
  public static final String NETWORK = "network";

  /// Ports and abstract sockets of other attempts on this machine.
  static final String LOCAL_SOCKETS = "local_sockets";

  /// `/tmp`, `/dev/shm` and System V memory.
  static final String SHARED_MEMORY = "shared_memory";

  /// Names and arguments of all processes.
  static final String PROCESS_LIST = "process_list";

  /// Files that every user of the machine may read.
  static final String READABLE_FILES = "readable_files";

  /// Files of the runner's user.
  static final String RUNNER_FILES = "runner_files";

  /// What opens the stack and what it keeps: its access token, the operator's keys and secrets, and
  /// its store.
  static final String STACK_FILES = "stack_files";

  /// The runner's own process: its variables, and signals.
  static final String RUNNER_PROCESS = "runner_process";

  /// Other attempts' files and processes.
  static final String OTHER_ATTEMPTS = "other_attempts";

  /// A process that cleared its environment and left its session and parent.
  static final String ESCAPED_PROCESSES = "escaped_processes";

  /// Limits of processes and memory of the whole attempt.
  static final String PROCESS_LIMITS = "process_limits";

  /// Any limit.
  static final String LIMITS = "limits";

  /// The agent's user has no name, which some programs ask for.
  static final String USER_NAME = "user_name";

  static final List<String> BY_USER =
      List.of(NETWORK, LOCAL_SOCKETS, SHARED_MEMORY, PROCESS_LIST, READABLE_FILES);

  static final List<String> BY_BUBBLEWRAP =
      List.of(NETWORK, LOCAL_SOCKETS, READABLE_FILES, RUNNER_FILES, PROCESS_LIMITS);

  static final List<String> BY_NOTHING =
      List.of(
          NETWORK,
          LOCAL_SOCKETS,
          SHARED_MEMORY,
          PROCESS_LIST,
          READABLE_FILES,
          RUNNER_FILES,
          STACK_FILES,
          RUNNER_PROCESS,
          OTHER_ATTEMPTS,
          ESCAPED_PROCESSES,
          LIMITS);

  private NotEnforced() {}
}
