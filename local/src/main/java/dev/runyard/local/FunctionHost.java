package dev.runyard.local;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.sun.net.httpserver.HttpHandler;
import dev.runyard.local.events.Checkpoints;
import dev.runyard.local.events.FailureDestination;
import dev.runyard.local.events.QueueReader;
import dev.runyard.local.events.Schedules;
import dev.runyard.local.events.StreamMapping;
import dev.runyard.local.events.StreamReader;
import dev.runyard.local.function.FunctionEnvironment;
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
import dev.runyard.local.template.TableDeclaration;
import dev.runyard.local.template.TemplateException;
import dev.runyard.local.threads.StackThreads;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/// The stack's functions and their callers: each function is instantiated once and connected to its
/// routes, streams, queues and schedules.
final class FunctionHost {
  private final Blueprint blueprint;
  private final Emulators emulators;
  private final FunctionEnvironment environment;
  private final Checkpoints checkpoints;
  private final InstantSource clock;
  private final Shutdown shutdown;
  private final FunctionLoader loader;
  private final Map<FunctionDeclaration, LambdaFunction> functions = new ConcurrentHashMap<>();
  private final Map<FunctionDeclaration, HttpHandler> servers = new ConcurrentHashMap<>();

  FunctionHost(
      Blueprint blueprint,
      Emulators emulators,
      FunctionEnvironment environment,
      Checkpoints checkpoints,
      InstantSource clock,
      Shutdown shutdown) {
    this.blueprint = blueprint;
    this.emulators = emulators;
    this.environment = environment;
    this.checkpoints = checkpoints;
    this.clock = clock;
    this.shutdown = shutdown;
    ExecutorService calls = StackThreads.each("call");
    shutdown.add(calls::shutdownNow);
    this.loader = new FunctionLoader(calls);
  }

  /// Instantiates all functions, in parallel.
  void load(Executor threads) {
    CompletableFuture<?>[] loading =
        blueprint.functions().stream()
            .map(function -> CompletableFuture.runAsync(() -> load(function), threads))
            .toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(loading).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private void load(FunctionDeclaration declaration) {
    Map<String, String> variables = blueprint.environment(declaration, emulators.queueUrls());
    if (FunctionLoader.isServer(variables)) {
      HttpHandler server = loader.server(declaration, environment, variables);
      servers.put(declaration, server);
      if (server instanceof AutoCloseable closeable) {
        shutdown.add(closeable);
      }
      return;
    }
    List<Class<?>> eventTypes = new ArrayList<>();
    declaration.events().forEach(event -> eventTypes.add(eventType(event)));
    functions.put(declaration, loader.function(declaration, environment, variables, eventTypes));
  }

  private static Class<?> eventType(EventSource event) {
    return switch (event) {
      case ApiRoute route -> APIGatewayProxyRequestEvent.class;
      case TableStream stream -> DynamodbEvent.class;
      case QueueMessages queue -> SQSEvent.class;
      case Schedule schedule -> ScheduledEvent.class;
    };
  }

  RouteTable routes() {
    RouteTable routes = new RouteTable();
    for (FunctionDeclaration declaration : blueprint.functions()) {
      for (EventSource event : declaration.events()) {
        if (event instanceof ApiRoute route) {
          routes.add(route.method(), route.path(), target(declaration, route));
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
    return server != null
        ? new Target.Streamed(server)
        : new Target.Buffered(function(declaration));
  }

  private LambdaFunction function(FunctionDeclaration declaration) {
    LambdaFunction function = functions.get(declaration);
    if (function == null) {
      throw new TemplateException(declaration.logicalId() + " is a server and takes no events");
    }
    return function;
  }

  /// Starts streams, queues and schedules. A schedule also fires at once, because an earlier stack
  /// may have left work, and because it starts the runners that always stay.
  void startEventSources() {
    Schedules schedules = shutdown.add(new Schedules(clock));
    Map<String, List<StreamMapping>> streams = new LinkedHashMap<>();
    for (FunctionDeclaration declaration : blueprint.functions()) {
      for (EventSource event : declaration.events()) {
        switch (event) {
          case ApiRoute route -> {}
          case TableStream stream ->
              streams
                  .computeIfAbsent(stream.table(), table -> new ArrayList<>())
                  .add(
                      new StreamMapping(function(declaration), stream, failureDestination(stream)));
          case QueueMessages queue -> startQueue(function(declaration), queue);
          case Schedule schedule -> schedules.add(function(declaration), schedule);
        }
      }
    }
    Map<String, String> names = new HashMap<>();
    for (TableDeclaration table : blueprint.tables()) {
      names.put(table.logicalId(), table.name());
    }
    streams.forEach(
        (table, mappings) ->
            shutdown.add(
                new StreamReader(
                    emulators.tables().streams(),
                    Objects.requireNonNull(names.get(table)),
                    mappings,
                    checkpoints,
                    clock)));
  }

  private FailureDestination failureDestination(TableStream stream) {
    if (stream.onFailure().isEmpty()) {
      return FailureDestination.none();
    }
    String url = queueUrl(stream.onFailure().get());
    var sqs = emulators.queues().client();
    return note -> sqs.sendMessage(request -> request.queueUrl(url).messageBody(note.toString()));
  }

  private void startQueue(LambdaFunction function, QueueMessages queue) {
    String url = queueUrl(queue.queue());
    String name = url.substring(url.lastIndexOf('/') + 1);
    shutdown.add(
        new QueueReader(emulators.queues().client(), url, QueueReader.arn(name), function, queue));
  }

  private String queueUrl(String logicalId) {
    return Objects.requireNonNull(emulators.queueUrls().get(logicalId));
  }
}
