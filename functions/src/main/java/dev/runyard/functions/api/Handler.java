package dev.runyard.functions.api;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.core.access.Scope;
import dev.runyard.core.job.ManageJobs;
import dev.runyard.core.task.ManageTasks;
import dev.runyard.functions.Wiring;
import dev.runyard.functions.http.MadeOnce;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.proxy.Dispatcher;
import dev.runyard.functions.proxy.Endpoint;
import dev.runyard.functions.proxy.WarmUp;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The native API except event streams and what is set up once, and the Agent Communication
/// Protocol except what takes time.
public final class Handler
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
  private static final String NO_RUN = "/v1/runs/00000000-0000-7000-8000-000000000000";
  private static final String NO_HOOK = "/v1/hooks/default.00000000000000000000000000000000";

  private final Dispatcher dispatcher;

  /// The function as Lambda creates it: warmed up, so that a snapshot of it answers its first
  /// request as fast as the next.
  public Handler() {
    this(System.getenv());
    warmUp();
  }

  public Handler(Map<String, String> env) {
    this(new Wiring("api", env));
  }

  /// The function on the given ports.
  public Handler(Wiring wiring) {
    this(new Dispatcher("api", resources(wiring), wiring));
  }

  /// The function with the given routes, for tests and benchmarks.
  public Handler(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  private static List<Resources<Endpoint>> resources(Wiring wiring) {
    MadeOnce once = new MadeOnce(wiring.keys(), wiring.clock());
    ManageTasks tasks = wiring.manageTasks();
    TasksApi taskApi = new TasksApi(tasks, wiring.useCases().tasks().models(), wiring.runs(), once);
    ManageJobs manage = wiring.jobs().manage();
    JobsApi jobs =
        new JobsApi(
            manage, wiring.jobRequestReader(), wiring.jobs().listItems(), wiring.jobs().models());
    return List.of(
        new RunsApi(
            wiring.requestReader(),
            wiring.submitRun(),
            wiring.cancelRun(),
            wiring.runs(),
            wiring.readModels()),
        new ThreadsApi(wiring.threads().read(), wiring.clock()),
        new RuntimeApi(
            wiring.commandReader(),
            wiring.submitRun(),
            wiring.resolveAction(),
            new RuntimeApi.Threads(wiring.threads(), once),
            new RuntimeApi.Work(
                new JobCommands(manage, wiring.jobRequestReader(), jobs),
                new TaskCommands(tasks, wiring.useCases().tasks().links(), taskApi, once))),
        taskApi,
        new PublishApi(
            wiring.catalog(), wiring.publishRun(), wiring.runs(), () -> wiring.artifacts().get()),
        jobs,
        new MessagesApi(wiring.sendMessage()),
        new ActionsApi(wiring.resolveAction(), wiring.runs()),
        new OutputsApi(wiring.artifacts()),
        new StreamTokensApi(wiring.runs(), wiring.issueStreamToken(), wiring.takesStreamTokens()),
        new HookReceiverApi(wiring.receiveHook()),
        new ChunksApi(wiring.events(), wiring.readModels()),
        new AgentsApi(wiring.catalog()),
        new DescriptionApi(),
        new AcpApi(
            wiring.catalog(),
            wiring.events(),
            wiring.useCases().readRun(),
            wiring.cancelRun(),
            wiring.useCases().sessionHistory()));
  }

  /// All routes answered here, in the form `GET /v1/runs/{id}`.
  public Set<String> routes() {
    return dispatcher.routes();
  }

  /// The scope that each of them needs, if any.
  public Map<String, Optional<Scope>> scopes() {
    return dispatcher.scopes();
  }

  @Override
  public APIGatewayProxyResponseEvent handleRequest(
      APIGatewayProxyRequestEvent event, @Nullable Context context) {
    return dispatcher.answer(event);
  }

  void warmUp() {
    new WarmUp(
            dispatcher,
            List.of(
                WarmUp.request("POST", "/v1/runs")
                    .withHeaders(Map.of("Content-Type", "application/json"))
                    .withBody("{\"agent\":\"echo\",\"prompt\":\"hi\",\"working_dir\":\"..\"}"),
                WarmUp.request("GET", NO_RUN),
                WarmUp.request("POST", NO_RUN + "/cancel"),
                WarmUp.request("GET", NO_RUN + "/actions"),
                WarmUp.request("GET", NO_RUN + "/outputs/none"),
                WarmUp.request("GET", "/v1/runs").withQueryStringParameters(Map.of("limit", "1")),
                WarmUp.request("POST", NO_HOOK),
                WarmUp.request("GET", "/v1/agents")))
        .run();
  }
}
