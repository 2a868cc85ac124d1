package dev.runyard.runner.backend.javaagent;

/// How long an agent's process may take.
///
/// @param startSeconds to start and to create the agent
/// @param stopSeconds to end once the agent was interrupted; then its processes are signalled
/// @param dyingSeconds to end once it has written what no agent writes: it has perhaps died while
///   it wrote a line
record Patience(int startSeconds, int stopSeconds, int dyingSeconds) {
  static final int START_SECONDS_MAX = 60;
  static final int STOP_SECONDS_MAX = 10;
  static final int DYING_SECONDS_MAX = 2;

  static final Patience DEFAULT =
      new Patience(START_SECONDS_MAX, STOP_SECONDS_MAX, DYING_SECONDS_MAX);
}
