package dev.runyard.runner.backend.clientprotocol;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentTrouble;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How the turns of a process ended, by meaning; the exit status counts last. Not thread-safe.
final class ClientProtocolTurn {
  static final String REFUSED_CODE = "permission_refused";

  private final String agent;
  private boolean understood;
  private boolean finished;
  private boolean refused;
  private @Nullable Failure failure;

  /// @param agent its name for people
  ClientProtocolTurn(String agent) {
    this.agent = agent;
  }

  /// A line was a message of the protocol.
  void understood() {
    understood = true;
  }

  /// A permission was refused, by a person or by rule.
  void refused() {
    refused = true;
  }

  boolean anyRefused() {
    return refused;
  }

  void failed(AgentTrouble trouble) {
    finished = false;
    failure = trouble.failure(agent);
  }

  void failed(Failure why) {
    finished = false;
    failure = why;
  }

  /// A turn ended for a reason of the protocol.
  void ended(String stopReason) {
    finished = false;
    failure = null;
    switch (stopReason) {
      case "end_turn" -> finished = true;
      case "refusal" -> failed(AgentTrouble.MODEL_REFUSED);
      case "max_tokens", "max_turn_requests" -> failed(AgentTrouble.AGENT_LIMIT);
      case "cancelled" -> failed(refused ? refusal() : cancelled());
      default -> failed(AgentTrouble.OTHER);
    }
  }

  /// The turn ended because a permission was refused.
  Failure refusal() {
    return new Failure(
        REFUSED_CODE,
        Category.CALLER,
        "%s ended its turn because it was not permitted to do something. Permit it, or ask for something else."
            .formatted(agent));
  }

  /// Why the run failed; empty if its last turn succeeded.
  ///
  /// @param stderr the end of standard error, which is not stored
  Optional<Failure> failure(Attempt.Exit exit, String stderr) {
    if (finished) {
      return Optional.empty();
    }
    if (failure != null) {
      return Optional.of(failure);
    }
    Integer signal = exit.signal();
    if (signal != null) {
      return Optional.of(AgentTrouble.killed(agent, signal));
    }
    return ClientProtocolTrouble.find(stderr)
        .map(trouble -> trouble.failure(agent))
        .or(() -> Optional.of(understood ? AgentTrouble.OTHER.failure(agent) : silent()));
  }

  /// The agent speaks another version of the protocol.
  Failure otherVersion() {
    return Failure.backend(
        "protocol_version",
        "%s does not speak version %d of the Agent Client Protocol. Install a version that does."
            .formatted(agent, ClientProtocolLines.PROTOCOL_VERSION));
  }

  private Failure cancelled() {
    return Failure.backend(
        "turn_cancelled",
        "%s gave its turn up by itself. Submit again; if it does so again, run the prompt by hand."
            .formatted(agent));
  }

  private Failure silent() {
    return Failure.backend(
        "no_output",
        "%1$s ended without a message. Check that the program and its arguments start %1$s as an agent of the Agent Client Protocol."
            .formatted(agent));
  }
}
