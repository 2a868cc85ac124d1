package dev.runyard.core.request;

import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The address of a repository: https, ssh with at most a user's name and in its short form too, or
/// http of this machine.
///
/// @param url as it was sent
/// @param scheme `https`, `ssh` or `http`
/// @param host in lower case, with its port if one is named
/// @param path on the server, without its first `/`
/// @param user of ssh; empty if none is named
public record GitAddress(String url, String scheme, String host, String path, String user) {
  public static final String SSH = "ssh";

  public static final String EXPECTED =
      "url must be https://HOST/PATH, ssh://USER@HOST/PATH or USER@HOST:PATH of at most %d bytes, without password, query and fragment; http only of this machine"
          .formatted(Limits.GIT_URL_BYTES_MAX);

  private static final Pattern FORM =
      Pattern.compile(
          "(?<scheme>https?|ssh)://(?:(?<user>[A-Za-z0-9_][A-Za-z0-9._-]{0,63})@)?"
              + "(?<host>[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)(?::(?<port>[1-9][0-9]{0,4}))?"
              + "/(?<path>[A-Za-z0-9._~%!$&'()*+,;=@/-]+)");

  /// The short form of ssh, which is a path in the user's home. A number before the first `/` is
  /// not taken, since some mean a port by it.
  private static final Pattern SHORT_FORM =
      Pattern.compile(
          "(?<user>[A-Za-z0-9_][A-Za-z0-9._-]{0,63})@"
              + "(?<host>[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)"
              + ":(?<path>(?![0-9]+(?:/|$))[A-Za-z0-9._~][A-Za-z0-9._~/+-]*)");

  private static final Pattern THIS_MACHINE =
      Pattern.compile("localhost|127\\.(?:[0-9]{1,3}\\.){2}[0-9]{1,3}");

  /// Reads an address; empty if it is none.
  public static Optional<GitAddress> read(String url) {
    Matcher parts = FORM.matcher(url);
    if (Bounds.bytes(url) > Limits.GIT_URL_BYTES_MAX) {
      return Optional.empty();
    }
    if (!parts.matches()) {
      return shortForm(url);
    }
    String host = parts.group("host").toLowerCase(Locale.ROOT);
    boolean refused =
        switch (parts.group("scheme")) {
          case "http" -> parts.group("user") != null || !THIS_MACHINE.matcher(host).matches();
          case "https" -> parts.group("user") != null;
          default -> false;
        };
    String port = parts.group("port");
    return refused || (port != null && Integer.parseInt(port) > 65_535)
        ? Optional.empty()
        : Optional.of(
            new GitAddress(
                url,
                parts.group("scheme"),
                port == null ? host : host + ":" + port,
                parts.group("path"),
                Objects.requireNonNullElse(parts.group("user"), "")));
  }

  private static Optional<GitAddress> shortForm(String url) {
    Matcher parts = SHORT_FORM.matcher(url);
    return parts.matches()
        ? Optional.of(
            new GitAddress(
                url,
                SSH,
                parts.group("host").toLowerCase(Locale.ROOT),
                parts.group("path"),
                parts.group("user")))
        : Optional.empty();
  }

  /// True for ssh.
  public boolean ssh() {
    return scheme.equals(SSH);
  }

  /// The address without a user's name, for people and agents.
  public String bare() {
    return "%s://%s/%s".formatted(scheme, host, path);
  }

  /// Scheme and host.
  public String server() {
    return scheme + "://" + host;
  }
}
