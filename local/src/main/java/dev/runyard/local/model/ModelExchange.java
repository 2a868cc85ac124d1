package dev.runyard.local.model;

/// One request the scripted model decided on, for logs and demonstrations.
///
/// @param conversation its id from the agent, empty when there is none
/// @param step counted from 0
/// @param directive the step's directives as written, empty for a prompt without a script
/// @param attempt how many times this request was answered with a scripted error before
public record ModelExchange(
    String path,
    String conversation,
    String model,
    int step,
    String directive,
    int attempt,
    Kind kind) {

  static final int DIRECTIVE_CHARS_MAX = 200;

  /// The kind of reply.
  public enum Kind {
    /// The text that explains the directives.
    GUIDE,
    TEXT,
    TOOL_CALL,
    ERROR,
    HANG,
    DROP
  }

  static ModelExchange of(String path, Conversation conversation, ModelReply reply, int attempt) {
    return new ModelExchange(
        path,
        conversation.id(),
        conversation.model(),
        reply.step(),
        reply.directive(),
        attempt,
        kind(reply));
  }

  /// One line for a person, without line breaks.
  public String line() {
    String shown = directive.isEmpty() ? "no directive" : directive.replaceAll("\\s+", " ");
    String cut =
        shown.length() <= DIRECTIVE_CHARS_MAX ? shown : shown.substring(0, DIRECTIVE_CHARS_MAX);
    return "model step %d: %s -> %s".formatted(step, cut, kind);
  }

  private static Kind kind(ModelReply reply) {
    return switch (reply) {
      case ModelReply.Failure _ -> Kind.ERROR;
      case ModelReply.Answer answer ->
          switch (answer.ending()) {
            case ModelReply.Ending.Fail _ -> Kind.ERROR;
            case ModelReply.Ending.Hang _ -> Kind.HANG;
            case ModelReply.Ending.Drop _ -> Kind.DROP;
            case ModelReply.Ending.Complete _ -> completeKind(answer);
          };
    };
  }

  private static Kind completeKind(ModelReply.Answer answer) {
    if (answer.callsTool()) {
      return Kind.TOOL_CALL;
    }
    return answer.directive().isEmpty() && answer.step() == 0 ? Kind.GUIDE : Kind.TEXT;
  }
}
