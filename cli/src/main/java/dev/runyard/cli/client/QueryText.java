package dev.runyard.cli.client;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The query of an address.
final class QueryText {
  private QueryText() {}

  /// The parameters that have a value, with the question mark.
  static String of(Map<String, String> parameters) {
    String query =
        new TreeMap<>(parameters)
            .entrySet().stream()
                .filter(parameter -> !parameter.getValue().isEmpty())
                .map(
                    parameter ->
                        parameter.getKey() + "=" + RunyardClient.encode(parameter.getValue()))
                .collect(Collectors.joining("&"));
    return query.isEmpty() ? "" : "?" + query;
  }
}
