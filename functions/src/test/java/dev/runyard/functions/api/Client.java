package dev.runyard.functions.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.IssueStreamToken;
import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.inbox.SendMessage;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobRequestReader;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.runtime.RuntimeCommandReader;
import dev.runyard.core.session.SessionHistory;
import dev.runyard.core.submit.LeftFilesCheck;
import dev.runyard.core.submit.PublishRun;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.task.ManageTasks;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.webhook.WebhookUrl;
import dev.runyard.functions.Described;
import dev.runyard.functions.ReachedModels;
import dev.runyard.functions.Twins;
import dev.runyard.functions.http.MadeOnce;
import dev.runyard.functions.http.Origins;
import dev.runyard.functions.manage.HooksApi;
import dev.runyard.functions.manage.KeysApi;
import dev.runyard.functions.manage.QuotaApi;
import dev.runyard.functions.manage.UploadsApi;
import dev.runyard.functions.manage.WebhooksApi;
import dev.runyard.functions.proxy.Dispatcher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// Calls the routes of `api` and `manage` as API Gateway does.
public final class Client {
  public static final String ECHO = "{\"agent\":\"echo\",\"prompt\":\"hi\",\"session_id\":\"s-1\"}";
  private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
  private final Handler handler;

  public Client(Twins twins) {
    this(twins, twins.catalog);
  }

  /// A client of an API whose agents take messages as `catalog` says.
  public Client(Twins twins, AgentCatalog catalog) {
    this(twins, catalog, twins.caller(), true);
  }

  /// A client whose callers are known by `callers`.
  ///
  /// @param streamTokens whether the stack takes tokens of streams
  public Client(Twins twins, AgentCatalog catalog, Authentication callers, boolean streamTokens) {
    handler =
        new Handler(
            new Dispatcher(
                List.of(
                    new RunsApi(
                        twins.reader(),
                        twins.submit(),
                        twins.cancel(),
                        twins.runs(),
                        new ReachedModels(twins)),
                    new ThreadsApi(twins.useCases.readThread(), twins.clock),
                    new RuntimeApi(
                        new RuntimeCommandReader(twins.reader()),
                        twins.submit(),
                        new ResolveAction(twins.runs(), twins.clock, twins.wakeRunner()),
                        new RuntimeApi.Threads(
                            twins.useCases.threadCases(() -> twins.reached(twins.artifacts)),
                            once(twins)),
                        new RuntimeApi.Work(
                            new JobCommands(
                                twins.useCases.jobs().manage(), jobReader(twins), jobs(twins)),
                            new TaskCommands(
                                tasks(twins),
                                twins.useCases.tasks().links(),
                                taskApi(twins),
                                once(twins)))),
                    taskApi(twins),
                    new PublishApi(
                        catalog,
                        new PublishRun(twins.submit(), twins.runs()),
                        twins.runs(),
                        () -> twins.reached(twins.artifacts)),
                    jobs(twins),
                    new MessagesApi(
                        new SendMessage(twins.runs(), catalog, twins.ids, twins.wakeRunner())),
                    new ActionsApi(
                        new ResolveAction(twins.runs(), twins.clock, twins.wakeRunner()),
                        twins.runs()),
                    new OutputsApi(() -> twins.reached(twins.artifacts)),
                    new UploadsApi(twins.uploads),
                    new StreamTokensApi(
                        twins.runs(),
                        new IssueStreamToken(twins.streamTokens, twins.clock, new Random(3)),
                        streamTokens),
                    new QuotaApi(
                        twins.quotaStatus(), twins.uploads, () -> twins.reached(twins.kept())),
                    new HooksApi(
                        twins.hooks(), twins.hookDeliveries(), twins.hookMapping(), once(twins)),
                    new HookReceiverApi(twins.receiveHook()),
                    new ChunksApi(twins.log, twins.models),
                    new WebhooksApi(twins.webhooks(), WebhookUrl.Places.INTERNET, once(twins)),
                    new AgentsApi(twins.catalog),
                    new DescriptionApi(),
                    new KeysApi(twins.manageKeys()),
                    new AcpApi(
                        twins.catalog,
                        twins.log,
                        twins.read(),
                        twins.cancel(),
                        new SessionHistory(new ReachedModels(twins), twins.log))),
                callers,
                ORIGINS,
                twins.ids,
                twins.jsonLog()));
  }

  private static TasksApi taskApi(Twins twins) {
    return new TasksApi(
        tasks(twins),
        twins.reaching(TaskModels.class, twins.useCases.tasks().models()),
        twins.runs(),
        once(twins));
  }

  private static ManageTasks tasks(Twins twins) {
    SubmitRun.Check check =
        SubmitRun.Check.all(twins.uploads::refusal, new LeftFilesCheck(() -> twins.artifacts));
    return twins.useCases.tasks().manage(twins.reader(), twins.submit(), check);
  }

  private static JobRequestReader jobReader(Twins twins) {
    SubmitRun.Check check =
        SubmitRun.Check.all(twins.uploads::refusal, new LeftFilesCheck(() -> twins.artifacts));
    return twins.useCases.jobs().reader(twins.reader(), check);
  }

  private static JobsApi jobs(Twins twins) {
    JobCases jobs = twins.useCases.jobs();
    return new JobsApi(
        jobs.manage(),
        jobReader(twins),
        jobs.listItems(),
        twins.reaching(JobModels.class, jobs.models()));
  }

  private static MadeOnce once(Twins twins) {
    return new MadeOnce(twins.ports.keys(), twins.clock);
  }

  /// Pages of this origin may call.
  static final Origins ORIGINS = new Origins(Set.of("https://app.example.com"));

  public static APIGatewayProxyRequestEvent request(String method, String path) {
    return new APIGatewayProxyRequestEvent().withHttpMethod(method).withPath(path);
  }

  public static APIGatewayProxyRequestEvent post(String path, String body) {
    return request("POST", path).withHeaders(JSON).withBody(body);
  }

  public static JsonNode json(APIGatewayProxyResponseEvent response) {
    try {
      return JsonFormat.JSON.readTree(response.getBody());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public APIGatewayProxyResponseEvent call(APIGatewayProxyRequestEvent request) {
    return Described.checked(request, handler.handleRequest(request, null));
  }

  void warmUp() {
    handler.warmUp();
  }

  public APIGatewayProxyResponseEvent get(String path) {
    return call(request("GET", path));
  }

  public APIGatewayProxyResponseEvent get(String path, Map<String, String> query) {
    return call(request("GET", path).withQueryStringParameters(query));
  }

  /// Submits and returns the new run's id.
  public String submit() {
    return json(call(post("/v1/runs", ECHO))).path("run_id").textValue();
  }
}
