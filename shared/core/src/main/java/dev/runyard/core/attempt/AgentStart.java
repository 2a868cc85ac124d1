package dev.runyard.core.attempt;

import java.util.concurrent.Future;

/// An agent on its way to its start. What takes time is done elsewhere, so that the attempt keeps
/// its lease and shows signs of life meanwhile; what fails there makes [#launch] tell why. No
/// future of it fails.
public interface AgentStart {
  /// The program or class that will run, for people.
  String program();

  /// False when the run must never wait for a person: what its agent asks is refused at once.
  boolean interactive();

  /// Done when all is there that the agent needs. Nothing that another attempt could go on with has
  /// been changed by then.
  Future<?> ready();

  /// Takes what an earlier attempt left, so that nobody else goes on with it; to be called once the
  /// log says that the agent is started. Done when that is stored.
  Future<?> take();

  /// Undoes what [#take] did, once that is done: no agent will start, and another attempt goes on
  /// with what was left. Where the store does not answer, that one finds nothing and says so.
  Future<?> giveBack();

  /// Starts the agent, without waiting, once both are done. An agent that cannot be started is a
  /// handle that ends at once with the failure.
  AgentHandle launch();
}
