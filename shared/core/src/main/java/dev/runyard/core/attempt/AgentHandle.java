package dev.runyard.core.attempt;

import dev.runyard.core.interaction.AgentInput;
import java.util.List;
import java.util.concurrent.Future;

/// A started agent as its attempt sees it. Output that is not taken stays in the agent's pipe; when
/// that is full, the agent waits.
public interface AgentHandle {
  /// The next signals, at most `max`, without waiting.
  List<AgentSignal> take(int max);

  /// Passes an input to the agent, without waiting. Each attempt gets each input of the run once,
  /// in the order of the log. The agent signals [AgentSignal.Took] when it takes or refuses it,
  /// before any output that follows from it; until then the input counts as not delivered, and the
  /// run's next attempt gets it again.
  void deliver(AgentInput input);

  /// Begins to find out whether another attempt can continue where this one stands: by replay, or
  /// because the agent's session and files can be stored. Otherwise it keeps its place at the
  /// runner. The check may read files and call a store, so it is made only when needed, and beside
  /// the attempt. It is to be done before the next one begins, and before [#pause].
  Future<Pausable> canPause();

  /// Whether an agent can be paused.
  enum Pausable {
    YES,
    /// It keeps its place.
    NO,
    /// It has not told yet what another attempt would need, and is found out again at no cost.
    NOT_YET,
    /// A store did not answer, and may in a moment.
    UNANSWERED
  }

  /// Ends the agent gently, and stores what another attempt needs to continue. If that fails after
  /// all, the agent ends with the failure [dev.runyard.core.problem.Failure#WORKSPACE_NOT_KEPT],
  /// and the attempt fails.
  void pause();

  /// How an agent is ended.
  enum Stop {
    /// First by request, then by force.
    GENTLY,
    /// By force, also while it is being ended otherwise: somebody else may soon have its run.
    AT_ONCE
  }

  /// Ends the agent's process tree. Returns at once; [AgentSignal.Ended] follows.
  void stop(Stop how);
}
