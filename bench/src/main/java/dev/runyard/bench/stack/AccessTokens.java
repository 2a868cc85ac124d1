package dev.runyard.bench.stack;

import dev.runyard.cli.StackTokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/// The access tokens of the stacks that are measured, found where the command line finds them.
public final class AccessTokens {
  private AccessTokens() {}

  /// The folder in which a stack leaves its own.
  public static Path folder() {
    return StackTokens.of(System.getenv()).path();
  }

  /// That of a stack.
  public static Optional<String> of(URI stack) {
    try {
      return StackTokens.of(System.getenv()).find(stack);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
