package dev.runyard.functions.http;

import dev.runyard.core.access.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// All routes of a function: from a method and a path to the handler, or to the refusal.
public final class Routes<H> {
  private final List<Route<H>> routes;
  private final Set<String> roots;

  public Routes(List<? extends Resources<H>> resources) {
    routes = resources.stream().flatMap(some -> some.routes().stream()).toList();
    roots = routes.stream().map(route -> root(route.segments())).collect(Collectors.toSet());
  }

  /// The result of looking up a route.
  public sealed interface Match<H> {
    /// The handler, the scope it needs, if any, and the values of the path's parameters.
    record Found<H>(H handler, Optional<Scope> scope, Map<String, String> named)
        implements Match<H> {}

    /// No such path, or not with this method.
    record Refused<H>(Reply reply) implements Match<H> {}
  }

  /// The routes answered here, in the form `GET /v1/runs/{id}`.
  public Set<String> names() {
    return routes.stream()
        .filter(route -> route.handler().isPresent())
        .map(Route::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// The scope that each of them needs, if any.
  public Map<String, Optional<Scope>> scopes() {
    Map<String, Optional<Scope>> scopes = new TreeMap<>();
    routes.stream()
        .filter(route -> route.handler().isPresent())
        .forEach(route -> scopes.put(route.name(), route.scope()));
    return scopes;
  }

  public Match<H> find(String method, String path) {
    List<String> given = Route.split(path);
    Set<String> allowed = new TreeSet<>();
    for (Route<H> route : routes) {
      Optional<Map<String, String>> named = route.match(given);
      if (named.isPresent()) {
        if (route.method().equals(method) && route.handler().isPresent()) {
          return new Match.Found<>(route.handler().get(), route.scope(), named.get());
        }
        allowed.add(route.method());
      }
    }
    return new Match.Refused<>(
        allowed.isEmpty()
            ? surface(path).notFound()
            : surface(path).methodNotAllowed(String.join(", ", allowed)));
  }

  /// The form of responses at `path`, whether or not the path exists. Paths without any route have
  /// Runyard's own form.
  public Surface surface(String path) {
    String root = root(Route.split(path));
    return roots.contains(root) ? Surface.under(root) : Surface.RUNYARD;
  }

  private static String root(List<String> segments) {
    return segments.size() > 1 && segments.getFirst().isEmpty() ? segments.get(1) : "";
  }
}
