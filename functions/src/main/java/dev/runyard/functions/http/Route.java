package dev.runyard.functions.http;

import dev.runyard.core.access.Scope;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One method on one path, and its handler.
///
/// @param segments the parts between the slashes of the path; one in braces is a parameter, which
///   is the rest of the path if it ends with a plus
/// @param scope what a caller needs; empty if anybody may call
/// @param handler empty if another function answers; `Allow` names the method anyway
public record Route<H>(
    String method, List<String> segments, Optional<Scope> scope, Optional<H> handler) {
  private static final String REST = "+}";

  public Route {
    segments = List.copyOf(segments);
  }

  /// A route of `GET` for who has `scope`; its path is written as in template.yaml, such as
  /// `/v1/runs/{id}`.
  public static <H> Route<H> get(Scope scope, String path, H handler) {
    return scoped("GET", scope, path, handler);
  }

  /// A route of `POST`, with such a path.
  public static <H> Route<H> post(Scope scope, String path, H handler) {
    return scoped("POST", scope, path, handler);
  }

  /// A route of `PATCH`, with such a path.
  public static <H> Route<H> patch(Scope scope, String path, H handler) {
    return scoped("PATCH", scope, path, handler);
  }

  /// A route of `DELETE`, with such a path.
  public static <H> Route<H> delete(Scope scope, String path, H handler) {
    return scoped("DELETE", scope, path, handler);
  }

  /// A route that anybody may call: it tells nothing of a tenant, or checks callers by itself.
  public static <H> Route<H> open(String method, String path, H handler) {
    return new Route<>(method, split(path), Optional.empty(), Optional.of(handler));
  }

  /// A route of another function to a path that also has routes here.
  public static <H> Route<H> elsewhere(String method, String path) {
    return new Route<>(method, split(path), Optional.empty(), Optional.empty());
  }

  private static <H> Route<H> scoped(String method, Scope scope, String path, H handler) {
    return new Route<>(method, split(path), Optional.of(scope), Optional.of(handler));
  }

  static List<String> split(String path) {
    return Arrays.asList(path.split("/", -1));
  }

  /// `GET /v1/runs/{id}`.
  public String name() {
    return method + " " + String.join("/", segments);
  }

  /// The values of the parameters, as in the path, if the path matches this route.
  Optional<Map<String, String>> match(List<String> given) {
    String end = segments.getLast();
    boolean rest = end.endsWith(REST);
    if (given.size() < segments.size() || (!rest && given.size() > segments.size())) {
      return Optional.empty();
    }
    Map<String, String> named = new HashMap<>();
    int single = segments.size();
    if (rest) {
      single--;
      String value = String.join("/", given.subList(single, given.size()));
      if (value.isEmpty()) {
        return Optional.empty();
      }
      named.put(end.substring(1, end.length() - REST.length()), value);
    }
    for (int i = 0; i < single; i++) {
      String segment = segments.get(i);
      if (segment.startsWith("{")) {
        named.put(segment.substring(1, segment.length() - 1), given.get(i));
      } else if (!segment.equals(given.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(named);
  }
}
