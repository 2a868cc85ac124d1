package dev.runyard.aws;

import dev.runyard.core.fleet.StartFailure.Cause;
import java.util.List;
import java.util.Locale;

/// Finds in ECS's messages why a task does not start. The texts are not a contract: an unknown one
/// keeps its general cause.
final class StartReasons {
  private static final List<Reason> REASONS =
      List.of(
          new Reason("cannotpull", Cause.NO_IMAGE),
          new Reason("pull image", Cause.NO_IMAGE),
          new Reason("insufficientfreeaddresses", Cause.NO_ADDRESS),
          new Reason("not enough free", Cause.NO_ADDRESS),
          new Reason("not have enough", Cause.NO_ADDRESS),
          new Reason("free addresses", Cause.NO_ADDRESS),
          new Reason("resourceinitializationerror", Cause.NO_NETWORK),
          new Reason("network interface", Cause.NO_NETWORK),
          new Reason("exit 78", Cause.NO_ISOLATION),
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
        .filter(reason -> lower.contains(reason.part()))
        .findFirst()
        .map(Reason::cause)
        .orElse(otherwise);
  }

  private record Reason(String part, Cause cause) {}
}
