package dev.runyard.core.webhook;

import dev.runyard.core.limits.Bounds;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a webhook is: `https`, a host by its name, a port, a path and a query. There is one way to
/// read it. Addresses in place of names are refused in whatever notation, so a server is found by a
/// look-up alone, whose result is checked before anything is connected.
///
/// @param tls false for the loopback of a local stack
/// @param target path and query, as in a request line
public record WebhookUrl(boolean tls, String host, int port, String target) {
  public static final int URL_BYTES_MAX = 2048;
  public static final String LOOPBACK = "127.0.0.1";

  private static final int HTTPS_PORT = 443;
  private static final int PORT_MIN = 1024;
  private static final int PORT_MAX = 65_535;
  private static final int HOST_BYTES_MAX = 253;
  private static final Pattern URL =
      Pattern.compile(
          "(https?)://([^/?#@\\[\\]:]+)(?::([0-9]{1,5}))?([/?][!-~&&[^#\"<>\\\\^`{|}]]*)?");
  private static final Pattern NAME =
      Pattern.compile(
          "(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?");

  /// Which places webhooks may be at.
  public enum Places {
    /// Servers of the internet.
    INTERNET,
    /// Also `http://127.0.0.1`, for a stack on a developer's machine.
    INTERNET_AND_LOOPBACK
  }

  /// Reads an address; empty if it is none that a webhook of this stack may have.
  public static Optional<WebhookUrl> of(String text, Places places) {
    Matcher url = URL.matcher(text);
    if (Bounds.bytes(text) > URL_BYTES_MAX || !url.matches()) {
      return Optional.empty();
    }
    boolean tls = url.group(1).equals("https");
    String host = url.group(2).toLowerCase(Locale.ROOT);
    int port = url.group(3) == null ? (tls ? HTTPS_PORT : 80) : Integer.parseInt(url.group(3));
    String path = url.group(4) == null ? "/" : url.group(4);
    WebhookUrl read = new WebhookUrl(tls, host, port, path.startsWith("?") ? "/" + path : path);
    return Optional.of(read).filter(found -> found.isAllowed(places));
  }

  /// What an address must be, for people.
  public static String rule(Places places) {
    return "url must be https://NAME, with port 443 or one from 1024 to 65535, a path and a query"
        + " if wanted, no user and no fragment, at most %d bytes; not an IP address."
            .formatted(URL_BYTES_MAX)
        + (places == Places.INTERNET_AND_LOOPBACK ? " Here it may also be http://127.0.0.1." : "");
  }

  public boolean isLoopback() {
    return !tls && host.equals(LOOPBACK);
  }

  private boolean isAllowed(Places places) {
    if (!tls) {
      return places == Places.INTERNET_AND_LOOPBACK && isLoopback() && port > 0 && port <= PORT_MAX;
    }
    return host.length() <= HOST_BYTES_MAX
        && NAME.matcher(host).matches()
        && !host.endsWith(".localhost")
        && (port == HTTPS_PORT || (port >= PORT_MIN && port <= PORT_MAX));
  }

  /// The value of the header `Host`.
  public String authority() {
    return tls && port == HTTPS_PORT ? host : host + ":" + port;
  }
}
