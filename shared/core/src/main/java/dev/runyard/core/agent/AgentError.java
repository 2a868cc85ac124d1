package dev.runyard.core.agent;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.ProblemCode;

/// The ways a run of an agent is refused or fails, as the Universal Agent API names them. No
/// message contains an agent's output.
public sealed interface AgentError {

  /// Its name on the wire.
  String kind();

  /// What is wrong, without its kind.
  String message();

  /// One line for people: the kind in words, then what is wrong.
  String display();

  /// No agent of this kind runs here.
  record UnknownBackend(String agentKind) implements AgentError {
    @Override
    public String kind() {
      return "UnknownBackend";
    }

    @Override
    public String message() {
      return agentKind;
    }

    @Override
    public String display() {
      return "unknown backend: " + agentKind;
    }
  }

  /// The agent lacks what was asked for.
  record UnsupportedCapability(AgentKind agentKind, String capability) implements AgentError {
    @Override
    public String kind() {
      return "UnsupportedCapability";
    }

    @Override
    public String message() {
      return capability;
    }

    @Override
    public String display() {
      return "unsupported capability for %s: %s".formatted(agentKind, capability);
    }
  }

  /// No agent can have this name.
  record InvalidAgentKind(String message) implements AgentError {
    @Override
    public String kind() {
      return "InvalidAgentKind";
    }

    @Override
    public String display() {
      return "invalid agent kind: " + message;
    }
  }

  /// The request contradicts itself, or has an invalid value.
  record InvalidRequest(String message) implements AgentError {
    @Override
    public String kind() {
      return "InvalidRequest";
    }

    @Override
    public String display() {
      return "invalid request: " + message;
    }
  }

  /// The agent, or what runs it, failed.
  record Backend(String message) implements AgentError {
    @Override
    public String kind() {
      return "Backend";
    }

    @Override
    public String display() {
      return "backend error: " + message;
    }
  }

  /// How a run failed.
  static AgentError of(Failure failure) {
    return failure.code().equals(ProblemCode.INVALID_REQUEST.code())
        ? new InvalidRequest(failure.message())
        : new Backend(failure.message());
  }
}
