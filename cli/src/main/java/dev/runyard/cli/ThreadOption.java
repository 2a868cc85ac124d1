package dev.runyard.cli;

import dev.runyard.cli.client.NewRun;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of a run that is a turn of a thread, or a run of a task.
final class ThreadOption {
  @Option(names = "--thread", paramLabel = "ID", description = "Thread of the session to run in.")
  private @Nullable String thread;

  @Option(
      names = "--turn",
      paramLabel = "NAME",
      description = "Names the turn; the same name with the same request is the same turn.")
  private @Nullable String turn;

  @Option(
      names = "--busy",
      paramLabel = "HOW",
      description = "If the thread has a turn: queue, reject, steer or interrupt.")
  private @Nullable String busy;

  @Option(names = "--task", paramLabel = "TASK", description = "Task that it is a run of.")
  private @Nullable String task;

  NewRun.InThread inThread() {
    return new NewRun.InThread(thread, turn, busy, task);
  }
}
