package dev.runyard.runner.backend;

import dev.runyard.core.interaction.AgentInput;

/// What a run can ask of its agent, implemented by its backend.
public interface AgentControl {
  String TAKES_NONE = "this agent takes no input";

  /// Hands the agent an input, without waiting.
  void deliver(AgentInput input);

  /// Ends the agent. Called once, on its own thread; it may wait.
  void stop();

  /// Ends the agent by force. Called on its own thread, also while [#stop] works; it may wait.
  void kill();

  /// The control of an agent that refuses every input.
  static AgentControl withoutInput(AgentOutput output, Runnable stop) {
    return new AgentControl() {
      @Override
      public void deliver(AgentInput input) {
        output.refuse(input, TAKES_NONE);
      }

      @Override
      public void stop() {
        stop.run();
      }

      @Override
      public void kill() {
        stop.run();
      }
    };
  }
}
