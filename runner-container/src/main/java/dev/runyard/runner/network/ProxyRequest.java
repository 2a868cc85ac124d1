package dev.runyard.runner.network;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a client asks a proxy for: the head of its first request.
///
/// @param head what to send on first; empty for a tunnel
/// @param credentials those of `Proxy-Authorization`
record ProxyRequest(Destination to, Optional<String> head, Optional<String> credentials) {
  static final int HEAD_BYTES_MAX = 64 * 1024;

  private static final Pattern FIELD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\\r\\n]*");
  private static final String AUTHORIZATION = "proxy-authorization:";
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  /// What was read of a request.
  sealed interface Read {
    record Whole(ProxyRequest request) implements Read {}

    /// Not what a client of a proxy sends.
    record Invalid() implements Read {}
  }

  /// Reads a head, and nothing that follows it.
  static Read read(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.length() < 4 || text.indexOf("\r\n\r\n", text.length() - 4) < 0) {
      int next = in.read();
      if (next < 0 || text.length() == HEAD_BYTES_MAX) {
        return new Read.Invalid();
      }
      text.append((char) next);
    }
    List<String> lines = List.of(text.substring(0, text.length() - 4).split("\r\n", -1));
    String[] first = lines.getFirst().split(" ", -1);
    List<String> fields = lines.subList(1, lines.size());
    if (first.length != 3
        || !first[2].startsWith("HTTP/1.")
        || !fields.stream().allMatch(field -> FIELD.matcher(field).matches())) {
      return new Read.Invalid();
    }
    return ("CONNECT".equals(first[0])
            ? Destination.read(first[1], HTTPS)
                .map(to -> new ProxyRequest(to, Optional.empty(), credentials(fields)))
            : forwarded(first, fields))
        .<Read>map(Read.Whole::new)
        .orElseGet(Read.Invalid::new);
  }

  /// A request for `http://host/path`, as the host itself expects it.
  private static Optional<ProxyRequest> forwarded(String[] first, List<String> fields) {
    try {
      URI target = new URI(first[1]);
      if (!"http".equals(target.getScheme()) || target.getRawAuthority() == null) {
        return Optional.empty();
      }
      String path = target.getRawPath().isEmpty() ? "/" : target.getRawPath();
      String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
      List<String> head = new ArrayList<>();
      head.add(first[0] + " " + path + query + " " + first[2]);
      head.add("Host: " + target.getRawAuthority());
      fields.stream().filter(ProxyRequest::goesOn).forEach(head::add);
      head.add("Connection: close");
      return Destination.read(target.getRawAuthority(), HTTP)
          .map(
              to ->
                  new ProxyRequest(
                      to,
                      Optional.of(String.join("\r\n", head) + "\r\n\r\n"),
                      credentials(fields)));
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  private static boolean goesOn(String field) {
    String name = field.toLowerCase(Locale.ROOT);
    return !name.startsWith("proxy-")
        && !name.startsWith("connection:")
        && !name.startsWith("keep-alive:")
        && !name.startsWith("host:");
  }

  private static Optional<String> credentials(List<String> fields) {
    return fields.stream()
        .filter(field -> field.toLowerCase(Locale.ROOT).startsWith(AUTHORIZATION))
        .map(field -> field.substring(AUTHORIZATION.length()).strip())
        .findFirst();
  }

  byte[] headBytes() {
    return head.orElse("").getBytes(StandardCharsets.ISO_8859_1);
  }
}
