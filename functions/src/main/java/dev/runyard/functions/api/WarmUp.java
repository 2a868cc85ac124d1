package dev.runyard.functions.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import dev.runyard.core.access.Identity;
import dev.runyard.core.access.KeyText;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/// Requests that change nothing, answered before a snapshot is taken: they load the classes, fill
/// the caches and open the connections of the important paths. Their responses are discarded.
final class WarmUp {
  private static final int ROUNDS = 5;
  private static final String NO_RUN = "/v1/runs/00000000-0000-7000-8000-000000000000";

  private static final String NO_HOOK = "/v1/hooks/default.00000000000000000000000000000000";

  private final Handler handler;

  WarmUp(Handler handler) {
    this.handler = handler;
  }

  void run() {
    for (int i = 0; i < ROUNDS; i++) {
      requests().forEach(request -> handler.answer(request, new Identity.Operator()));
      handler.handleRequest(unknown(), null);
    }
  }

  private static List<APIGatewayProxyRequestEvent> requests() {
    return List.of(
        request("POST", "/v1/runs")
            .withHeaders(Map.of("Content-Type", "application/json"))
            .withBody("{\"agent\":\"echo\",\"prompt\":\"hi\",\"working_dir\":\"..\"}"),
        request("GET", NO_RUN),
        request("POST", NO_RUN + "/cancel"),
        request("GET", NO_RUN + "/actions"),
        request("GET", NO_RUN + "/outputs/none"),
        request("GET", "/v1/runs").withQueryStringParameters(Map.of("limit", "1")),
        request("POST", NO_HOOK),
        request("GET", "/v1/agents"));
  }

  /// A request of nobody, so that the check of callers is warm as well.
  private static APIGatewayProxyRequestEvent unknown() {
    String key = KeyText.drawn(new SecureRandom()).secret();
    return request("GET", "/v1/agents").withHeaders(Map.of("Authorization", "Bearer " + key));
  }

  private static APIGatewayProxyRequestEvent request(String method, String path) {
    return new APIGatewayProxyRequestEvent().withHttpMethod(method).withPath(path);
  }
}
