package dev.runyard.functions.proxy;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import dev.runyard.core.access.Identity;
import dev.runyard.core.access.KeyText;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/// Requests that change nothing, answered before a snapshot is taken: they load the classes, fill
/// the caches and open the connections of the important paths. Their responses are discarded.
public final class WarmUp {
  private static final int ROUNDS = 5;

  private final Dispatcher dispatcher;
  private final List<APIGatewayProxyRequestEvent> requests;

  /// @param requests of which none changes anything; the last is also sent in nobody's name
  public WarmUp(Dispatcher dispatcher, List<APIGatewayProxyRequestEvent> requests) {
    this.dispatcher = dispatcher;
    this.requests = List.copyOf(requests);
  }

  public void run() {
    for (int i = 0; i < ROUNDS; i++) {
      requests.forEach(request -> dispatcher.answer(request, new Identity.Operator()));
      dispatcher.answer(unknown(requests.getLast()));
    }
  }

  /// The same request of nobody, so that the check of callers is warm as well.
  private static APIGatewayProxyRequestEvent unknown(APIGatewayProxyRequestEvent of) {
    String key = KeyText.drawn(new SecureRandom()).secret();
    return request(of.getHttpMethod(), of.getPath())
        .withHeaders(Map.of("Authorization", "Bearer " + key));
  }

  public static APIGatewayProxyRequestEvent request(String method, String path) {
    return new APIGatewayProxyRequestEvent().withHttpMethod(method).withPath(path);
  }
}
