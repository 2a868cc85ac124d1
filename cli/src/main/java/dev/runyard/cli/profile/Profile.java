package dev.runyard.cli.profile;

import dev.runyard.cli.client.Identification;
import java.net.URI;
import java.util.regex.Pattern;

/// A server that a user has logged in to, by a name of the user's.
public record Profile(String name, URI server, Identification authentication) {
  /// The one that is used where none is named.
  public static final String DEFAULT = "default";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /// Whether a profile can have this name.
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /// Whether it is for this server: the same scheme, host, port and path.
  public boolean isFor(URI other) {
    return ServerAddress.same(server, other);
  }
}
