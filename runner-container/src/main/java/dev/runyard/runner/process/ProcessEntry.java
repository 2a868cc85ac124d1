package dev.runyard.runner.process;

/// One process as the kernel describes it.
///
/// `startTicks` is when it started, in clock ticks since boot; with the pid it identifies a process
/// even after the number is reused. `mark` is empty when there is none or it is unreadable, which
/// is for good, except in a process that is [State#CHANGING].
record ProcessEntry(
    int pid, int parent, int group, int session, long startTicks, State state, String mark) {

  enum State {
    RUNNING,
    STOPPED,
    /// Between two programs: it runs, and for this moment it has neither arguments nor environment.
    CHANGING,
    DEAD
  }

  record Identity(int pid, long startTicks) {}

  Identity identity() {
    return new Identity(pid, startTicks);
  }

  boolean leadsSession() {
    return pid == session;
  }
}
