package dev.runyard.core.attempt;

import dev.runyard.core.problem.Failure;
import java.util.Optional;
import java.util.concurrent.Future;

/// An agent being prepared. Whatever takes time is done on other threads, so that the attempt can
/// keep its lease and show signs of life; if something fails there, [#launch] reports why. None of
/// the futures fails.
public interface AgentStart {
  /// The program or class that will run, for people.
  String program();

  /// False when the run must never wait for a person: everything its agent asks is refused at once.
  boolean interactive();

  /// Done when everything the agent needs is there. Until then nothing has been changed that
  /// another attempt could continue with.
  Future<?> ready();

  /// Takes over what an earlier attempt left, so that no other attempt continues with it; to be
  /// called once the log says that the agent is started. Done when that is stored.
  Future<?> take();

  /// Undoes what [#take] did, once that is done: no agent will start, and another attempt continues
  /// with what was left. If the store does not answer, that attempt finds nothing and says so.
  Future<?> giveBack();

  /// No agent will start: what is still being prepared changes nothing any more that another
  /// attempt could begin with. To be called before the log says that this attempt is over.
  void abandon();

  /// Tells and keeps what was prepared though no agent will start; to be called after [#abandon],
  /// in place of [#launch]. The handle ends at once with the failure; empty if there is nothing to
  /// tell and to keep, or if the preparation does not end.
  Future<Optional<AgentHandle>> refuse(Failure why);

  /// Starts the agent, without waiting, once both are done. An agent that cannot be started is a
  /// handle that ends at once with the failure.
  AgentHandle launch();
}
