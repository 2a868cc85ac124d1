package dev.runyard.runner.network;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A host, in lower case and without a dot at its end, and a port.
record Destination(String host, int port) {
  /// A name or an IPv4 address. Addresses of IPv6 have no rules.
  private static final Pattern AUTHORITY =
      Pattern.compile("([a-zA-Z0-9](?:[a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?)\\.?(?::([0-9]{1,5}))?");

  private static final int PORT_MAX = 65_535;

  /// Reads `host:port`.
  ///
  /// @param portByDefault where none is given
  static Optional<Destination> read(String authority, int portByDefault) {
    Matcher matcher = AUTHORITY.matcher(authority);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int port = matcher.group(2) == null ? portByDefault : Integer.parseInt(matcher.group(2));
    return port < 1 || port > PORT_MAX
        ? Optional.empty()
        : Optional.of(new Destination(matcher.group(1).toLowerCase(Locale.ROOT), port));
  }
}
