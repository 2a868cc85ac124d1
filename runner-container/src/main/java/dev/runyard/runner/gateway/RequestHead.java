package dev.runyard.runner.gateway;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The head of an agent's request.
///
/// @param target path and query, as they were sent
record RequestHead(String method, String target, List<Header> headers) {
  /// Headers of a connection, not of what is sent over it.
  private static final Set<String> OF_THE_CONNECTION =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  /// @param name in lower case
  record Header(String name, String value) {
    static boolean ofTheConnection(String name) {
      return OF_THE_CONNECTION.contains(name);
    }
  }

  RequestHead {
    headers = List.copyOf(headers);
  }

  Stream<String> all(String name) {
    return headers.stream().filter(header -> header.name().equals(name)).map(Header::value);
  }

  Optional<String> first(String name) {
    return all(name).findFirst();
  }

  boolean has(String name) {
    return first(name).isPresent();
  }

  /// True when the agent closes the connection after the answer.
  boolean closes() {
    return connection().contains("close");
  }

  boolean expectsContinue() {
    return first("expect").filter("100-continue"::equalsIgnoreCase).isPresent();
  }

  /// The headers for the provider, without those of the connection.
  List<Header> forwarded() {
    Set<String> named = connection();
    return headers.stream()
        .filter(header -> !Header.ofTheConnection(header.name()))
        .filter(header -> !named.contains(header.name()))
        .toList();
  }

  private Set<String> connection() {
    return all("connection")
        .flatMap(value -> Stream.of(value.toLowerCase(Locale.ROOT).split(",")))
        .map(String::strip)
        .collect(Collectors.toSet());
  }
}
