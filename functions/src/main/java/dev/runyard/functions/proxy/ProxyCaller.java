package dev.runyard.functions.proxy;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import dev.runyard.core.access.Authentication;
import java.util.Optional;

/// What an event of API Gateway shows of its caller. The gateway alone writes the context of a
/// request; nothing that a client sends gets there.
final class ProxyCaller {
  private ProxyCaller() {}

  static Authentication.Shown shown(APIGatewayProxyRequestEvent event, ApiRequest request) {
    return new Authentication.Shown(
        Optional.ofNullable(request.header("Authorization")),
        Optional.ofNullable(event.getRequestContext())
            .flatMap(context -> Optional.ofNullable(context.getIdentity()))
            .flatMap(identity -> Optional.ofNullable(identity.getUserArn())));
  }
}
