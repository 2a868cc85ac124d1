package dev.runyard.core.request;

import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The address of a repository: https, ssh with at most a user's name, or http of this machine.
///
/// @param url as it was sent
/// @param scheme `https`, `ssh` or `http`
/// @param host in lower case, with its port if one is named
/// @param path on the server, without its first `/`
public record GitAddress(String url, String scheme, String host, String path) {
  public static final String EXPECTED =
      "url must be https://HOST/PATH or ssh://USER@HOST/PATH of at most %d bytes, without password, query and fragment; http only of this machine"
          .formatted(Limits.GIT_URL_BYTES_MAX);

  private static final Pattern FORM =
      Pattern.compile(
          "(?<scheme>https?|ssh)://(?:(?<user>[A-Za-z0-9_][A-Za-z0-9._-]{0,63})@)?"
              + "(?<host>[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)(?::(?<port>[1-9][0-9]{0,4}))?"
              + "/(?<path>[A-Za-z0-9._~%!$&'()*+,;=@/-]+)");
  private static final Pattern THIS_MACHINE =
      Pattern.compile("localhost|127\\.(?:[0-9]{1,3}\\.){2}[0-9]{1,3}");

  /// Reads an address; empty if it is none.
  public static Optional<GitAddress> read(String url) {
    Matcher parts = FORM.matcher(url);
    if (Bounds.bytes(url) > Limits.GIT_URL_BYTES_MAX || !parts.matches()) {
      return Optional.empty();
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
                parts.group("path")));
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
