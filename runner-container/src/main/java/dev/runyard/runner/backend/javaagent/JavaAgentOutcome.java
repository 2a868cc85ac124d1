package dev.runyard.runner.backend.javaagent;

import dev.runyard.agent.channel.FromAgent;
import dev.runyard.agent.host.AgentJvm;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentTrouble;
import java.util.Optional;

/// Finds out how an agent's process ended: from what it said, or else from how it died. Not
/// thread-safe.
final class JavaAgentOutcome {
  static final Failure STOPPED = Failure.backend("agent_stopped", "The agent was stopped.");
  static final Failure BROKE_PROTOCOL =
      Failure.backend(
          "agent_broke_protocol",
          "The agent's process wrote something to its runner that no agent writes, so the runner"
              + " ended it. An agent must leave the descriptors alone that it has not opened.");
  static final Failure OUT_OF_MEMORY =
      Failure.backend(
          "agent_out_of_memory",
          "The agent needed more memory than its process may have. Give it more in the agents"
              + " file: \"args\": [\"-Xmx1g\"].");

  private final String agent;
  private Optional<FromAgent.Ended> ended = Optional.empty();
  private boolean started;
  private boolean stopped;
  private boolean broke;

  /// @param agent its name
  JavaAgentOutcome(String agent) {
    this.agent = agent;
  }

  /// False for a message that does not fit those before it.
  boolean mayStillSay(FromAgent message) {
    if (over()) {
      return false;
    }
    switch (message) {
      case FromAgent.Started _ -> {
        boolean first = !started;
        started = true;
        return first;
      }
      case FromAgent.Ended end -> ended = Optional.of(end);
      case FromAgent.Told _,
          FromAgent.Asked _,
          FromAgent.Took _,
          FromAgent.Refused _,
          FromAgent.HistoryWanted _ -> {}
    }
    return true;
  }

  /// True once nothing that the agent says counts any more.
  boolean over() {
    return ended.isPresent() || broke;
  }

  void stopped() {
    stopped = true;
  }

  /// The process wrote what no agent's process writes. False if it did that before.
  boolean broke() {
    boolean first = !broke;
    broke = true;
    return first;
  }

  /// Why the process must be ended if the agent has not started by now.
  Optional<Failure> late(int seconds) {
    return started || over()
        ? Optional.empty()
        : Optional.of(
            Failure.backend(
                "agent_not_started",
                "The agent had not been created after %d s. Look at what its class does when it is loaded, or give the runner more processor time."
                    .formatted(seconds)));
  }

  /// Why the run failed; empty if the agent did what it was asked. A process that broke the
  /// protocol and has then ended by itself is one that died.
  ///
  /// @param stderr the end of standard error, which is not stored
  Optional<Failure> failure(Attempt.Exit exit, String stderr) {
    if (ended.isPresent() && !broke) {
      return ended.get().failure();
    }
    if (stopped) {
      return Optional.of(STOPPED);
    }
    Integer signal = exit.signal();
    if (signal != null) {
      return Optional.of(AgentTrouble.killed("the agent's process", signal));
    }
    return Optional.of(exited(String.valueOf(exit.code()), stderr));
  }

  private Failure exited(String code, String stderr) {
    if (code.equals(String.valueOf(AgentJvm.OUT_OF_MEMORY_EXIT))
        && stderr.contains(AgentJvm.OUT_OF_MEMORY)) {
      return OUT_OF_MEMORY;
    }
    return started
        ? Failure.backend(
            "agent_exited",
            "The process of %s ended with exit code %s before the agent had. An agent ends by returning; it must not call System.exit."
                .formatted(agent, code))
        : Failure.backend(
            "agent_not_started",
            "The process of %s ended with exit code %s before the agent was created. Check its jars and its arguments in the agents file."
                .formatted(agent, code));
  }
}
