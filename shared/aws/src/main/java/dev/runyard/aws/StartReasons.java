package dev.runyard.aws;

import dev.runyard.core.fleet.StartFailure.Cause;
import java.util.List;
import java.util.Locale;

/// Finds in ECS's messages why a task does not start. The texts are not a contract: an unknown one
/// keeps its general cause.
final class StartReasons {
  /// What is said of a registry that could not be asked, and not of an image that is not there.
  private static final List<String> NO_ANSWER =
      List.of(
          "timeout",
          "timed out",
          "request canceled",
          "connection refused",
          "connection reset",
          "no such host",
          "rate limit",
          "toomanyrequests",
          "too many requests",
          "error (500)",
          "server error",
          "service unavailable");

  private static final List<Reason> REASONS =
      List.of(
          new Reason("cannotpull", NO_ANSWER, Cause.PULL_FAILED),
          new Reason("pull image", NO_ANSWER, Cause.PULL_FAILED),
          new Reason("cannotpull", Cause.NO_IMAGE),
          new Reason("pull image", Cause.NO_IMAGE),
          new Reason("insufficientfreeaddresses", Cause.NO_ADDRESS),
          new Reason("not enough free", Cause.NO_ADDRESS),
          new Reason("not have enough", Cause.NO_ADDRESS),
          new Reason("free addresses", Cause.NO_ADDRESS),
          new Reason("resourceinitializationerror", Cause.NO_NETWORK),
          new Reason("network interface", Cause.NO_NETWORK),
          new Reason("exit 78", Cause.NO_ISOLATION),
          new Reason("exit 79", Cause.OUTDATED_RUNNER),
          new Reason("reached the limit", Cause.QUOTA),
          new Reason("limitexceeded", Cause.QUOTA),
          new Reason("capacity is unavailable", Cause.NO_CAPACITY),
          new Reason("capacityprovider", Cause.NO_CAPACITY),
          new Reason("resource:", Cause.NO_CAPACITY),
          new Reason("throttl", Cause.THROTTLED),
          new Reason("rate exceeded", Cause.THROTTLED),
          new Reason("toomanyrequests", Cause.THROTTLED));

  private StartReasons() {}

  static Cause of(String text, Cause otherwise) {
    String lower = text.toLowerCase(Locale.ROOT);
    return REASONS.stream()
        .filter(reason -> reason.isIn(lower))
        .findFirst()
        .map(Reason::cause)
        .orElse(otherwise);
  }

  /// A part of a message, with one of others if there are any.
  private record Reason(String part, List<String> others, Cause cause) {
    Reason(String part, Cause cause) {
      this(part, List.of(), cause);
    }

    boolean isIn(String text) {
      return text.contains(part) && (others.isEmpty() || others.stream().anyMatch(text::contains));
    }
  }
}
