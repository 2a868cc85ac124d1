package dev.runyard.functions.manage;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.core.access.Scope;
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

/// What is set up for runs and callers: keys, webhooks, hooks and uploads, and what a tenant may
/// use. It is a function of its own because the policies of a function have room for so many routes
/// only, and so that who answers for runs may delete nothing.
public final class Handler
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
  private static final String NO_ID = "/00000000000000000000000000000000";

  private final Dispatcher dispatcher;

  /// The function as Lambda creates it: warmed up, so that a snapshot of it answers its first
  /// request as fast as the next.
  public Handler() {
    this(System.getenv());
    warmUp();
  }

  public Handler(Map<String, String> env) {
    this(new Wiring("manage", env));
  }

  /// The function on the given ports.
  public Handler(Wiring wiring) {
    dispatcher = new Dispatcher("manage", resources(wiring), wiring);
  }

  private static List<Resources<Endpoint>> resources(Wiring wiring) {
    MadeOnce once = new MadeOnce(wiring.keys(), wiring.clock());
    return List.of(
        new UploadsApi(wiring.uploads()),
        new QuotaApi(wiring.quotaStatus(), wiring.uploads(), wiring.kept()),
        new HooksApi(wiring.hooks(), wiring.hookDeliveries(), wiring.hookMapping(), once),
        new WebhooksApi(wiring.manageWebhooks(), wiring.webhookPlaces(), once),
        new KeysApi(wiring.manageKeys()));
  }

  /// All routes answered here, in the form `GET /v1/keys`.
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

  private void warmUp() {
    new WarmUp(
            dispatcher,
            List.of(
                WarmUp.request("GET", "/v1/webhooks" + NO_ID),
                WarmUp.request("GET", "/v1/hooks" + NO_ID),
                WarmUp.request("GET", "/v1/uploads" + NO_ID),
                WarmUp.request("GET", "/v1/keys"),
                WarmUp.request("GET", "/v1/webhooks")))
        .run();
  }
}
