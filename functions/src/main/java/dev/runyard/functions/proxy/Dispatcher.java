package dev.runyard.functions.proxy;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.Identity;
import dev.runyard.core.access.Scope;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.Wiring;
import dev.runyard.functions.http.Caller;
import dev.runyard.functions.http.CallerCheck;
import dev.runyard.functions.http.Failures;
import dev.runyard.functions.http.Origins;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.RequestIds;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.ResponseSize;
import dev.runyard.functions.http.Routes;
import dev.runyard.functions.http.Surface;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// From a request to the route that answers it, if its caller may call that. Whatever happens,
/// there is a response: every refusal and failure is a problem with a code.
public final class Dispatcher {
  private final Routes<Endpoint> routes;
  private final CallerCheck check;
  private final Origins origins;
  private final Ids ids;
  private final JsonLog log;
  private final Failures failures;

  /// The routes of a function that is wired.
  ///
  /// @param function names it in the log
  public Dispatcher(String function, List<? extends Resources<Endpoint>> resources, Wiring wiring) {
    this(
        resources,
        wiring.authentication(),
        new Origins(wiring.corsOrigins()),
        wiring.ids(),
        new JsonLog(function));
  }

  /// Routes with the given parts.
  public Dispatcher(
      List<? extends Resources<Endpoint>> resources,
      Authentication authentication,
      Origins origins,
      Ids ids,
      JsonLog log) {
    this.routes = new Routes<>(resources);
    this.origins = origins;
    this.check = new CallerCheck(authentication);
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

  /// The scope that each of them needs, if any.
  public Map<String, Optional<Scope>> scopes() {
    return routes.scopes();
  }

  public APIGatewayProxyResponseEvent answer(APIGatewayProxyRequestEvent event) {
    return answer(event, check);
  }

  /// Answers in the name of a caller that is known already.
  void answer(APIGatewayProxyRequestEvent event, Identity caller) {
    var _ = answer(event, new CallerCheck(Authentication.everybody(caller)));
  }

  private APIGatewayProxyResponseEvent answer(
      APIGatewayProxyRequestEvent event, CallerCheck callers) {
    long start = System.nanoTime();
    ApiRequest request = ApiRequest.of(event);
    String requestId =
        RequestIds.of(
            request.header(RequestIds.HEADER),
            event.getRequestContext() == null ? null : event.getRequestContext().getRequestId(),
            ids);
    Answer answer = answer(request, callers, ProxyCaller.shown(event, request), requestId);
    Reply reply =
        answer
            .reply()
            .with(RequestIds.HEADER, requestId)
            .with(origins.headers(request.header(Origins.HEADER)));
    log.info(
        "request",
        line -> {
          line.put("request_id", requestId).put("method", request.knownMethod());
          request.runId().ifPresent(id -> line.put("run_id", id));
          answer.caller().ifPresent(caller -> line.put("tenant", caller.tenant()));
          answer.caller().ifPresent(caller -> line.put("actor", caller.actor()));
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

  /// @param caller on whose behalf it was answered, if that is somebody
  private record Answer(Reply reply, Optional<Caller> caller) {}

  private Answer answer(
      ApiRequest request, CallerCheck callers, Authentication.Shown shown, String requestId) {
    Surface surface = routes.surface(request.path());
    Optional<Caller> caller = Optional.empty();
    Optional<Problem> foreign =
        origins.refusal(
            request.header(Origins.HEADER),
            Origins.own(request.header(Origins.PROTOCOL), request.header("Host")));
    if (foreign.isPresent()) {
      return new Answer(surface.refuse(foreign.get()), caller);
    }
    try {
      switch (routes.find(request.method(), request.path())) {
        case Routes.Match.Refused<Endpoint> refused -> {
          return new Answer(refused.reply(), caller);
        }
        case Routes.Match.Found<Endpoint> found -> {
          switch (callers.check(found.scope(), shown)) {
            case CallerCheck.Result.Refused refused -> {
              return new Answer(surface.refuse(refused.problem()), caller);
            }
            case CallerCheck.Result.Admitted admitted -> {
              caller = Optional.of(admitted.caller()).filter(_ -> found.scope().isPresent());
              Reply reply =
                  found
                      .handler()
                      .answer(request.of(admitted.caller().with(requestId), found.named()));
              return new Answer(fitting(reply, surface), caller);
            }
          }
        }
      }
    } catch (RuntimeException e) {
      return new Answer(surface.refuse(failures.problem(e, requestId)), caller);
    }
  }

  private static Reply fitting(Reply reply, Surface surface) {
    return ResponseSize.fits(reply.body())
        ? reply
        : surface.refuse(
            Problem.of(
                ProblemCode.RESPONSE_TOO_LARGE,
                "The answer is too large to send at once. Ask for fewer runs with limit; of one"
                    + " run, read the events."));
  }
}
