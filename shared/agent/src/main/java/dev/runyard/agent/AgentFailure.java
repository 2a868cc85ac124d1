package dev.runyard.agent;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;

/// Thrown by an agent that cannot do what it was asked. Code and message are shown to the caller,
/// so they must not contain secrets.
public final class AgentFailure extends Exception {
  public static final String INVALID_INPUT = "invalid_input";

  private static final long serialVersionUID = 1;

  private final String code;
  private final Category category;

  private AgentFailure(String code, Category category, String message) {
    super(message);
    this.code = code;
    this.category = category;
  }

  /// The request is at fault.
  public static AgentFailure invalidInput(String message) {
    return new AgentFailure(INVALID_INPUT, Category.CALLER, message);
  }

  /// The agent, or something it depends on, is at fault.
  public static AgentFailure of(String code, String message) {
    return new AgentFailure(code, Category.BACKEND, message);
  }

  public Failure failure() {
    return new Failure(code, category, String.valueOf(getMessage()));
  }
}
