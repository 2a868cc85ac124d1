package dev.runyard.cli;

import dev.runyard.local.http.TokenFolder;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/// Where the stacks that a user starts on this machine leave their access tokens, and where that
/// user's commands find them.
public final class StackTokens {
  private StackTokens() {}

  /// The folder of a user with these variables.
  public static TokenFolder of(Map<String, String> env) {
    return new TokenFolder(CacheFolder.of(env).resolve("tokens"));
  }

  /// The token for a server; a note says why there is none although a stack has left one.
  static Optional<String> find(Terminal terminal, URI server) {
    try {
      return of(terminal.env()).find(server);
    } catch (IOException e) {
      terminal.note("runyard: the access token of " + server + " cannot be read: " + e);
      return Optional.empty();
    }
  }
}
