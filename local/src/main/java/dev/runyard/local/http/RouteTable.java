package dev.runyard.local.http;

import com.sun.net.httpserver.HttpHandler;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.local.template.CorsDeclaration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;

/// Which function answers which request. The most specific path wins, then the method.
public final class RouteTable {
  private static final String ANY = "ANY";

  private final Map<PathPattern, Map<String, Target>> routes = new TreeMap<>();
  private final CorsDeclaration cors;
  private final Set<String> open = new TreeSet<>();

  /// No page of another origin may call.
  public RouteTable() {
    this(CorsDeclaration.NONE);
  }

  /// @param cors which pages of other origins may call
  public RouteTable(CorsDeclaration cors) {
    this.cors = cors;
  }

  CorsDeclaration cors() {
    return cors;
  }

  /// Whether any method has such a path.
  boolean knows(String rawPath) {
    return routes.keySet().stream().anyMatch(path -> path.match(rawPath).isPresent());
  }

  /// The target of a route.
  public sealed interface Target {
    /// A function that takes the whole request and returns the whole response.
    record Buffered(LambdaFunction function) implements Target {}

    /// A server that takes the exchange and streams its response.
    record Streamed(HttpHandler server) implements Target {}

    /// One of the two that answers only so many requests at once, whatever their routes.
    record Limited(Target target, Semaphore free) implements Target {}
  }

  sealed interface Match {
    record Found(Target target, String template, Map<String, String> parameters) implements Match {}

    record WrongMethod(Set<String> allowed) implements Match {}

    record Unknown() implements Match {}
  }

  /// Adds a route; `ANY` stands for every method.
  public void add(String method, String path, Target target) {
    routes.computeIfAbsent(PathPattern.of(path), p -> new TreeMap<>()).put(method, target);
  }

  /// Lets anybody call a route.
  public void open(String method, String path) {
    open.add(method + " " + path);
  }

  /// True for a request that needs no access token, because its route checks callers by itself.
  boolean isOpen(String method, String rawPath) {
    return find(method, rawPath) instanceof Match.Found(_, String template, _)
        && open.contains(method + " " + template);
  }

  Match find(String method, String rawPath) {
    for (Map.Entry<PathPattern, Map<String, Target>> route : routes.entrySet()) {
      Optional<Map<String, String>> parameters = route.getKey().match(rawPath);
      if (parameters.isPresent()) {
        Map<String, Target> methods = route.getValue();
        Target target = methods.containsKey(method) ? methods.get(method) : methods.get(ANY);
        return target == null
            ? new Match.WrongMethod(new TreeSet<>(methods.keySet()))
            : new Match.Found(target, route.getKey().template(), parameters.get());
      }
    }
    return new Match.Unknown();
  }
}
