package dev.runyard.core.wakeup;

import java.util.Optional;

/// Wake-ups of runners: somebody has written to the log of one of a runner's runs, or watches one.
/// What is wanted is in the log; a wake-up only says that it is time to look, so a lost one delays
/// and loses nothing.
///
/// A call that does not answer throws [dev.runyard.core.problem.PortUnavailable].
public interface Wakeups {
  /// Wakes a runner.
  ///
  /// @param mark replaces the mark of the wake-up before; no two are equal
  void send(String runner, String mark);

  /// The mark of the runner's newest wake-up. It may briefly be an earlier one: for callers that
  /// poll.
  Optional<String> last(String runner);
}
