package dev.runyard.functions.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.inbox.SendMessage;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.session.SessionHistory;
import dev.runyard.core.submit.PublishRun;
import dev.runyard.functions.Twins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/// Calls the handler as API Gateway does.
public final class Client {
  static final String ECHO = "{\"agent\":\"echo\",\"prompt\":\"hi\",\"session_id\":\"s-1\"}";
  private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
  private final Handler handler;

  public Client(Twins twins) {
    this(twins, twins.catalog);
  }

  /// A client of an API whose agents take messages as `catalog` says.
  Client(Twins twins, AgentCatalog catalog) {
    handler =
        new Handler(
            List.of(
                new RunsApi(
                    twins.reader(), twins.submit(), twins.cancel(), twins.runs(), twins.models),
                new PublishApi(catalog, new PublishRun(twins.submit(), twins.runs()), twins.runs()),
                new MessagesApi(
                    new SendMessage(twins.runs(), catalog, twins.ids, twins.wakeRunner())),
                new ActionsApi(
                    new ResolveAction(twins.runs(), twins.clock, twins.wakeRunner()), twins.runs()),
                new OutputsApi(() -> twins.artifacts),
                new UploadsApi(twins.uploads),
                new HooksApi(twins.hooks(), twins.hookDeliveries(), twins.hookMapping()),
                new HookReceiverApi(twins.receiveHook()),
                new ChunksApi(twins.log, twins.models),
                new AgentsApi(twins.catalog),
                new AcpApi(
                    twins.catalog,
                    twins.log,
                    twins.read(),
                    twins.cancel(),
                    new SessionHistory(twins.models, twins.log))),
            twins.ids,
            twins.jsonLog());
  }

  static APIGatewayProxyRequestEvent request(String method, String path) {
    return new APIGatewayProxyRequestEvent().withHttpMethod(method).withPath(path);
  }

  static APIGatewayProxyRequestEvent post(String path, String body) {
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
    return handler.handleRequest(request, null);
  }

  void warmUp() {
    new WarmUp(handler).run();
  }

  public APIGatewayProxyResponseEvent get(String path) {
    return call(request("GET", path));
  }

  APIGatewayProxyResponseEvent get(String path, Map<String, String> query) {
    return call(request("GET", path).withQueryStringParameters(query));
  }

  /// Submits and returns the new run's id.
  String submit() {
    return json(call(post("/v1/runs", ECHO))).path("run_id").textValue();
  }
}
