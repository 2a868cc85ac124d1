package dev.runyard.local;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.sun.net.httpserver.HttpHandler;
import dev.runyard.local.function.FunctionLoader;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.local.http.RouteTable;
import dev.runyard.local.http.RouteTable.Target;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.EventSource;
import dev.runyard.local.template.EventSource.ApiRoute;
import dev.runyard.local.template.EventSource.QueueMessages;
import dev.runyard.local.template.EventSource.Schedule;
import dev.runyard.local.template.EventSource.TableStream;
import dev.runyard.local.template.FunctionDeclaration;
import dev.runyard.local.template.TemplateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/// The functions of a stack, each instantiated once, and the routes that lead to them.
public final class FunctionSet {
  private final Blueprint blueprint;
  private final Map<String, String> queueUrls;
  private final Shutdown shutdown;
  private final FunctionLoader loader;
  private final Map<FunctionDeclaration, LambdaFunction> functions = new ConcurrentHashMap<>();
  private final Map<FunctionDeclaration, HttpHandler> servers = new ConcurrentHashMap<>();

  /// The free calls of the functions that have a bound.
  private final Map<FunctionDeclaration, Semaphore> calls = new ConcurrentHashMap<>();

  private FunctionSet(
      Blueprint blueprint,
      Map<String, String> queueUrls,
      FunctionLoader loader,
      Shutdown shutdown) {
    this.blueprint = blueprint;
    this.queueUrls = queueUrls;
    this.loader = loader;
    this.shutdown = shutdown;
  }

  /// Instantiates all functions, in parallel on `threads`.
  ///
  /// @param queueUrls of the template's queues, by logical id
  public static FunctionSet load(
      Blueprint blueprint,
      Map<String, String> queueUrls,
      FunctionLoader loader,
      Shutdown shutdown,
      Executor threads) {
    FunctionSet set = new FunctionSet(blueprint, queueUrls, loader, shutdown);
    CompletableFuture<?>[] loading =
        blueprint.functions().stream()
            .map(function -> CompletableFuture.runAsync(() -> set.load(function), threads))
            .toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(loading).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
    return set;
  }

  private void load(FunctionDeclaration declaration) {
    Map<String, String> variables = blueprint.environment(declaration, queueUrls);
    if (FunctionLoader.isServer(variables)) {
      HttpHandler server = loader.server(declaration, variables);
      servers.put(declaration, server);
      if (server instanceof AutoCloseable closeable) {
        shutdown.add(closeable);
      }
      return;
    }
    List<Class<?>> eventTypes = new ArrayList<>();
    declaration.events().forEach(event -> eventTypes.add(eventType(event)));
    functions.put(declaration, loader.function(declaration, variables, eventTypes));
  }

  private static Class<?> eventType(EventSource event) {
    return switch (event) {
      case ApiRoute route -> APIGatewayProxyRequestEvent.class;
      case TableStream stream -> DynamodbEvent.class;
      case QueueMessages queue -> SQSEvent.class;
      case Schedule schedule -> ScheduledEvent.class;
    };
  }

  /// The routes of the API.
  public RouteTable routes() {
    RouteTable routes = new RouteTable(blueprint.cors());
    for (FunctionDeclaration declaration : blueprint.functions()) {
      for (EventSource event : declaration.events()) {
        if (event instanceof ApiRoute route) {
          routes.add(route.method(), route.path(), target(declaration, route));
          if (route.open()) {
            routes.open(route.method(), route.path());
          }
        }
      }
    }
    return routes;
  }

  private Target target(FunctionDeclaration declaration, ApiRoute route) {
    HttpHandler server = servers.get(declaration);
    if (route.streamed() != (server != null)) {
      throw new TemplateException(
          declaration.logicalId() + " streams only as a server with RESPONSE_STREAM routes");
    }
    Target target =
        server != null ? new Target.Streamed(server) : new Target.Buffered(function(declaration));
    return declaration.reserved().isEmpty()
        ? target
        : new Target.Limited(
            target,
            calls.computeIfAbsent(declaration, it -> new Semaphore(it.reserved().orElseThrow())));
  }

  /// The function that takes the events of a declaration.
  public LambdaFunction function(FunctionDeclaration declaration) {
    LambdaFunction function = functions.get(declaration);
    if (function == null) {
      throw new TemplateException(declaration.logicalId() + " is a server and takes no events");
    }
    return function;
  }
}
