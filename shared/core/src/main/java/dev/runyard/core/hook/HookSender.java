package dev.runyard.core.hook;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Who delivers to a hook, and so how a delivery proves where it comes from.
public enum HookSender {
  GITHUB("github"),
  GITLAB("gitlab"),
  SLACK("slack"),
  STANDARD_WEBHOOKS("standard_webhooks"),
  HMAC("hmac");

  private final String wire;

  HookSender(String wire) {
    this.wire = wire;
  }

  public String wire() {
    return wire;
  }

  static Optional<HookSender> of(String wire) {
    return Arrays.stream(values()).filter(sender -> sender.wire.equals(wire)).findFirst();
  }

  static List<String> names() {
    return Arrays.stream(values()).map(HookSender::wire).toList();
  }
}
