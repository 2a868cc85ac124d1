package dev.runyard.cli.profile;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The addresses of servers, as users write them.
public final class ServerAddress {
  private static final Pattern AWS =
      Pattern.compile(
          "[^.]+\\.execute-api(?:-fips)?\\.([a-z0-9-]+)\\.(?:amazonaws\\.com(?:\\.cn)?|api\\.aws)");

  private ServerAddress() {}

  /// Reads one; empty for what is no http or https URL of a server. None has a user or a password
  /// in it, which would end in messages.
  public static Optional<URI> read(String text) {
    try {
      URI server = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
      String scheme = server.getScheme() == null ? "" : server.getScheme().toLowerCase(Locale.ROOT);
      boolean usable =
          server.getHost() != null
              && (scheme.equals("http") || scheme.equals("https"))
              && server.getRawUserInfo() == null
              && server.getRawQuery() == null
              && server.getRawFragment() == null;
      return usable ? Optional.of(server) : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// The region of an API of Amazon API Gateway; empty for any other server, such as one with a
  /// domain of its own.
  public static Optional<String> region(URI server) {
    Matcher matcher = AWS.matcher(server.getHost().toLowerCase(Locale.ROOT));
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  static boolean same(URI one, URI other) {
    return one.getScheme().equalsIgnoreCase(other.getScheme())
        && one.getHost().equalsIgnoreCase(other.getHost())
        && port(one) == port(other)
        && one.getRawPath().equals(other.getRawPath());
  }

  private static int port(URI server) {
    int usual = server.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    return server.getPort() < 0 ? usual : server.getPort();
  }
}
