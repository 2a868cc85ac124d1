package dev.runyard.local.function;

import org.jspecify.annotations.Nullable;

/// How one call of a function ended.
public sealed interface Invocation {

  /// The handler returned.
  record Returned(@Nullable Object value) implements Invocation {}

  /// The handler threw, or took longer than its timeout.
  record Failed(Throwable cause) implements Invocation {}
}
