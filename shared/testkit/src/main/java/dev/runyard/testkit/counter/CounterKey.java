package dev.runyard.testkit.counter;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;

/// The tenant and id of a counter.
public record CounterKey(String tenant, String id) implements StreamKey {
  public static final StreamKind KIND = new StreamKind("counter");

  @Override
  public StreamKind kind() {
    return KIND;
  }
}
