package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunKey;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Starts agents. An agent that cannot be started is a handle that ends at once with the failure.
public interface AgentLauncher {
  /// Begins to get ready what the agent of this attempt will need, and does not wait for it: the
  /// start is written meanwhile. Tells the program or class that will run, for people.
  String prepare(RunFacts facts, Attempt attempt);

  /// False when the run must never wait for a person: what its agent asks is refused at once.
  boolean interactive(RunFacts facts);

  /// Starts the agent. An attempt that is a continuation goes on where the one before it stood, by
  /// the rule of [dev.runyard.core.run.Journal]; `facts` hold the journal.
  AgentHandle launch(RunFacts facts, Attempt attempt);

  /// Keeps what the started agent remembers of its session, once it has ended and before the log
  /// says so: whoever sees the end finds it. Tells where that failed.
  ///
  /// @param ours whether the attempt is still the run's; asked at most once, on this thread, while
  ///   what takes time is under way. Where it is not, nothing is left behind.
  Optional<RunEvent> keep(BooleanSupplier ours);

  /// Ends what is left on this machine of an attempt whose runner died. It is fenced, so its agent
  /// works for nobody any more.
  void endLost(RunKey run, String attemptId);
}
