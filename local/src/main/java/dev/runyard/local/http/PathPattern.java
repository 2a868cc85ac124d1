package dev.runyard.local.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An API Gateway path such as `/v1/runs/{id}` or `/files/{name+}`. Patterns order by how specific
/// they are: segment by segment, a literal before a parameter before the rest of the path.
record PathPattern(String template, List<String> segments) implements Comparable<PathPattern> {

  PathPattern {
    segments = List.copyOf(segments);
  }

  static PathPattern of(String template) {
    return new PathPattern(template, split(template));
  }

  /// The decoded parameters if the raw path matches.
  Optional<Map<String, String>> match(String rawPath) {
    List<String> given = split(rawPath);
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      if (i >= given.size()) {
        return Optional.empty();
      }
      if (rank(segment) == 2) {
        String rest = String.join("/", given.subList(i, given.size()));
        parameters.put(segment.substring(1, segment.length() - 2), decode(rest));
        return rest.isEmpty() ? Optional.empty() : Optional.of(parameters);
      }
      String value = decode(given.get(i));
      if (rank(segment) == 1 && !value.isEmpty()) {
        parameters.put(segment.substring(1, segment.length() - 1), value);
      } else if (!segment.equals(value)) {
        return Optional.empty();
      }
    }
    return given.size() == segments.size() ? Optional.of(parameters) : Optional.empty();
  }

  @Override
  public int compareTo(PathPattern other) {
    for (int i = 0; i < Math.min(segments.size(), other.segments.size()); i++) {
      int order = Integer.compare(rank(segments.get(i)), rank(other.segments.get(i)));
      if (order != 0) {
        return order;
      }
    }
    int order = Integer.compare(other.segments.size(), segments.size());
    return order != 0 ? order : template.compareTo(other.template);
  }

  private static int rank(String segment) {
    if (!segment.startsWith("{") || !segment.endsWith("}")) {
      return 0;
    }
    return segment.endsWith("+}") ? 2 : 1;
  }

  private static List<String> split(String path) {
    return Arrays.asList((path.startsWith("/") ? path.substring(1) : path).split("/", -1));
  }

  /// A plus sign in a path is a plus sign.
  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
