package dev.runyard.functions.api;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.Wiring;
import dev.runyard.functions.http.AcpReplies;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.RequestIds;
import dev.runyard.functions.http.ResponseSize;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The native API but for event streams, and the Agent Communication Protocol but for what takes
/// time. It finds the resource, and makes an answer of whatever happens: every refusal and failure
/// is a problem with a code.
public final class Handler
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
  private final RunsApi runs;
  private final TalkApi talk;
  private final OutputsApi outputs;
  private final AgentsApi agents;
  private final AcpApi acp;
  private final Ids ids;
  private final JsonLog log;

  /// The function as Lambda makes it: warmed up, so that a snapshot of it answers its first request
  /// as fast as the next.
  public Handler() {
    this(System.getenv());
    new WarmUp(this).run();
  }

  public Handler(Map<String, String> env) {
    this(new Wiring("api", env));
  }

  private Handler(Wiring wiring) {
    this(
        new RunsApi(
            Wiring.TENANT,
            wiring.requestReader(),
            wiring.submitRun(),
            wiring.cancelRun(),
            wiring.runs(),
            wiring.readModels()),
        new TalkApi(Wiring.TENANT, wiring.sendMessage(), wiring.resolveAction(), wiring.runs()),
        new OutputsApi(Wiring.TENANT, wiring.artifacts()),
        new AgentsApi(wiring.catalog()),
        new AcpApi(
            Wiring.TENANT,
            wiring.catalog(),
            wiring.events(),
            wiring.cancelRun(),
            wiring.sessionHistory(),
            wiring.projectRun()),
        wiring.ids(),
        new JsonLog("api"));
  }

  /// The function over what it is given; for tests and benchmarks.
  public Handler(
      RunsApi runs,
      TalkApi talk,
      OutputsApi outputs,
      AgentsApi agents,
      AcpApi acp,
      Ids ids,
      JsonLog log) {
    this.runs = runs;
    this.talk = talk;
    this.outputs = outputs;
    this.agents = agents;
    this.acp = acp;
    this.ids = ids;
    this.log = log;
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
    try {
      Reply reply = route(request);
      return ResponseSize.fits(reply.body())
          ? reply
          : problem(
              request,
              ProblemCode.RESPONSE_TOO_LARGE,
              "The answer is too large for one piece. Ask for fewer runs with limit; of one run, read"
                  + " the events.");
    } catch (PortUnavailable e) {
      log.failure("unavailable", e, line -> line.put("request_id", requestId));
      return problem(
          request,
          ProblemCode.UNAVAILABLE,
          "The store or the queue did not answer. Send the same request again, with the same"
              + " Idempotency-Key.");
    } catch (RuntimeException e) {
      log.failure("internal_error", e, line -> line.put("request_id", requestId));
      return problem(
          request,
          ProblemCode.INTERNAL,
          "The request failed. Its X-Request-Id finds it in the log.");
    }
  }

  private static Reply problem(ApiRequest request, ProblemCode code, String detail) {
    return isAcp(request) ? AcpReplies.error(code, detail) : Reply.of(code, detail);
  }

  private static boolean isAcp(ApiRequest request) {
    String[] path = request.path().split("/", -1);
    return path.length > 1 && path[0].isEmpty() && AcpApi.ROOTS.contains(path[1]);
  }

  private Reply route(ApiRequest request) {
    String[] path = request.path().split("/", -1);
    if (isAcp(request)) {
      return acp.route(request, path);
    }
    if (path.length < 3 || !path[0].isEmpty() || !path[1].equals("v1")) {
      return Reply.notFound();
    }
    boolean get = request.method().equals("GET");
    boolean post = request.method().equals("POST");
    return switch (path[2] + " " + path.length) {
      case "runs 3" ->
          post
              ? runs.submit(request)
              : get ? runs.list(request) : Reply.methodNotAllowed("GET, POST");
      case "runs 4" -> get ? runs.get(request, path[3]) : Reply.methodNotAllowed("GET");
      case "runs 5" -> ofRun(request, path[3], path[4]);
      case "runs 6" ->
          !path[4].equals("outputs")
              ? Reply.notFound()
              : get ? outputs.get(request, path[3], path[5]) : Reply.methodNotAllowed("GET");
      case "actions 4" -> post ? talk.decide(request, path[3]) : Reply.methodNotAllowed("POST");
      case "agents 3" -> get ? agents.list() : Reply.methodNotAllowed("GET");
      case "agents 4" -> get ? agents.get(path[3]) : Reply.methodNotAllowed("GET");
      case String _ -> Reply.notFound();
    };
  }

  private Reply ofRun(ApiRequest request, String id, String what) {
    boolean post = request.method().equals("POST");
    return switch (what) {
      case "cancel" -> post ? runs.cancel(request, id) : Reply.methodNotAllowed("POST");
      case "messages" -> post ? talk.send(request, id) : Reply.methodNotAllowed("POST");
      case "actions" ->
          request.method().equals("GET")
              ? talk.actions(request, id)
              : Reply.methodNotAllowed("GET");
      case String _ -> Reply.notFound();
    };
  }
}
