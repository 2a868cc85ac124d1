package dev.runyard.runner.backend;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;

/// What can go wrong in a run of any CLI, most of it between the agent and its model. CLIs report
/// it in prose, which may quote their input, so only these codes and sentences are stored.
public enum AgentTrouble {
  NO_KEY(
      "no_key",
      Category.BACKEND,
      "%s has no key for its model provider. Give the runner the variable that the agent names"
          + " for its key, then submit again."),
  KEY_REFUSED(
      "key_refused",
      Category.BACKEND,
      "The model provider refused the key. Replace the agent's key, then submit again."),
  ACCESS_DENIED(
      "access_denied",
      Category.BACKEND,
      "The model provider denied access. Check what the agent's key may do."),
  QUOTA(
      "quota_exhausted",
      Category.CAPACITY,
      "The quota at the model provider is used up. Check its plan and billing, or use another"
          + " key."),
  RATE_LIMITED(
      "rate_limited",
      Category.CAPACITY,
      "The model provider limits the rate of requests. Submit again later."),
  NO_SUCH_MODEL(
      "no_such_model",
      Category.CALLER,
      "The model provider does not offer this model. Name another one in agent_api.config.model.v1,"
          + " or leave it out."),
  CONTEXT_FULL(
      "context_full",
      Category.CALLER,
      "The conversation is longer than the model can read. Ask for less at once, or start a new"
          + " session."),
  MODEL_REFUSED(
      "model_refused",
      Category.CALLER,
      "The model refused to work on this. Ask for something else, or word it differently."),
  AGENT_LIMIT(
      "agent_limit",
      Category.CALLER,
      "%s met a limit of its own for one run. Ask for less at once, or raise the limit in the"
          + " agent's arguments."),
  SESSION_NOT_FOUND("session_not_found", Category.CALLER, "session not found"),
  BAD_USAGE(
      "bad_usage",
      Category.BACKEND,
      "%1$s did not accept its command line or configuration. Compare the agent's arguments with"
          + " the version of %1$s that is installed."),
  MODEL_UNAVAILABLE(
      "model_unavailable",
      Category.BACKEND,
      "The model provider is overloaded or failing. Submit again later."),
  NETWORK(
      "network",
      Category.BACKEND,
      "%s lost or never had a connection to its model provider. Check the agent's base URL and"
          + " the runner's network."),
  REQUEST_REJECTED(
      "request_rejected",
      Category.BACKEND,
      "The model provider rejected the request of %1$s. Check that the provider and the model fit"
          + " the version of %1$s that is installed."),
  OTHER(
      "agent_failed",
      Category.BACKEND,
      "%s could not finish its turn and gave a reason that is not known here. Run the same"
          + " prompt by hand to see it.");

  private final String code;
  private final Category category;
  private final String message;

  AgentTrouble(String code, Category category, String message) {
    this.code = code;
    this.category = category;
    this.message = message;
  }

  public String code() {
    return code;
  }

  /// The failure of a run of this agent, by its name for people.
  public Failure failure(String agent) {
    return new Failure(code, category, message.formatted(agent));
  }

  /// A signal ended the agent that the runner did not send.
  public static Failure killed(String agent, int signal) {
    return new Failure(
        "agent_killed",
        Category.INTERNAL,
        "Signal %d ended %s. If nobody sent it, give the runner more memory."
            .formatted(signal, agent));
  }
}
