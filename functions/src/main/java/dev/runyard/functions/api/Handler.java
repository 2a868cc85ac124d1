package dev.runyard.functions.api;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.Wiring;
import dev.runyard.functions.http.Failures;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.RequestIds;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.ResponseSize;
import dev.runyard.functions.http.Routes;
import dev.runyard.functions.http.Surface;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The native API except event streams, and the Agent Communication Protocol except what takes
/// time. Whatever happens, there is a response: every refusal and failure is a problem with a code.
public final class Handler
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
  private final Routes<Endpoint> routes;
  private final Ids ids;
  private final JsonLog log;
  private final Failures failures;

  /// The function as Lambda creates it: warmed up, so that a snapshot of it answers its first
  /// request as fast as the next.
  public Handler() {
    this(System.getenv());
    new WarmUp(this).run();
  }

  public Handler(Map<String, String> env) {
    this(new Wiring("api", env));
  }

  /// The function on the given ports.
  public Handler(Wiring wiring) {
    this(
        List.of(
            new RunsApi(
                wiring.requestReader(),
                wiring.submitRun(),
                wiring.cancelRun(),
                wiring.runs(),
                wiring.readModels()),
            new PublishApi(wiring.catalog(), wiring.publishRun(), wiring.runs()),
            new MessagesApi(wiring.sendMessage()),
            new ActionsApi(wiring.resolveAction(), wiring.runs()),
            new OutputsApi(wiring.artifacts()),
            new UploadsApi(wiring.uploads()),
            new HooksApi(wiring.hooks(), wiring.hookDeliveries(), wiring.hookMapping()),
            new HookReceiverApi(wiring.receiveHook()),
            new ChunksApi(wiring.events(), wiring.readModels()),
            new AgentsApi(wiring.catalog()),
            new AcpApi(
                wiring.catalog(),
                wiring.events(),
                wiring.readRun(),
                wiring.cancelRun(),
                wiring.sessionHistory())),
        wiring.ids(),
        new JsonLog("api"));
  }

  /// The function with the given parts, for tests and benchmarks.
  public Handler(List<? extends Resources<Endpoint>> resources, Ids ids, JsonLog log) {
    this.routes = new Routes<>(resources);
    this.ids = ids;
    this.log = log;
    this.failures =
        new Failures(
            log,
            "The store or the queue did not answer. Send the same request again, with the same"
                + " Idempotency-Key.");
  }

  /// All routes answered here, in the form `GET /v1/runs/{id}`.
  public Set<String> routes() {
    return routes.names();
  }

  @Override
  public APIGatewayProxyResponseEvent handleRequest(
      APIGatewayProxyRequestEvent event, @Nullable Context context) {
    long start = System.nanoTime();
    ApiRequest request = ApiRequest.of(event);
    String requestId =
        RequestIds.of(
            request.header(RequestIds.HEADER),
            event.getRequestContext() == null ? null : event.getRequestContext().getRequestId(),
            ids);
    Reply reply = answer(request, requestId).with(RequestIds.HEADER, requestId);
    log.info(
        "request",
        line -> {
          line.put("request_id", requestId).put("method", request.knownMethod());
          request.runId().ifPresent(id -> line.put("run_id", id));
          line.put("status", reply.status());
          line.put("micros", (System.nanoTime() - start) / 1000);
          reply.problem().ifPresent(code -> line.put("code", code.code()));
        });
    return new APIGatewayProxyResponseEvent()
        .withStatusCode(reply.status())
        .withHeaders(reply.headers())
        .withBody(reply.body())
        .withIsBase64Encoded(false);
  }

  private Reply answer(ApiRequest request, String requestId) {
    Surface surface = routes.surface(request.path());
    try {
      Reply reply =
          switch (routes.find(request.method(), request.path())) {
            case Routes.Match.Refused<Endpoint> refused -> refused.reply();
            case Routes.Match.Found<Endpoint> found ->
                request
                    .caller()
                    .refusal(found.scope())
                    .map(surface::refuse)
                    .orElseGet(() -> found.handler().answer(request.with(found.named())));
          };
      return ResponseSize.fits(reply.body())
          ? reply
          : surface.refuse(
              Problem.of(
                  ProblemCode.RESPONSE_TOO_LARGE,
                  "The answer is too large to send at once. Ask for fewer runs with limit; of one"
                      + " run, read the events."));
    } catch (RuntimeException e) {
      return surface.refuse(failures.problem(e, requestId));
    }
  }
}
