package dev.runyard.core.fleet;

import java.util.List;
import java.util.Map;

/// Starts runners and reports what became of them. Runners exit by themselves.
public interface RunnerFleet {
  /// Starts the runner of a claimed slot. The same claim starts one runner, however often it is
  /// asked for.
  ///
  /// @throws dev.runyard.core.problem.PortUnavailable when it is not known whether it started
  Start start(int slot, String claim);

  /// What became of tasks, each of which is in the answer.
  Map<String, Fate> look(List<String> tasks);

  /// What a start led to.
  sealed interface Start {
    /// It is being started as this task.
    record Started(String task) implements Start {}

    /// None is started now.
    ///
    /// @param none whether the service also says that no runner of this claim lives. One that
    ///   refuses before it looks for the claim says nothing of an earlier request, whose answer was
    ///   lost
    record Refused(StartFailure failure, boolean none) implements Start {}
  }

  /// What became of a task.
  sealed interface Fate {
    /// It starts, runs or is about to stop.
    record Alive() implements Fate {}

    record Stopped(StartFailure why) implements Fate {}

    /// There is no such task: not any more, or not yet.
    record Missing() implements Fate {}
  }
}
