package dev.runyard.functions.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.TraceParent;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.submit.IdempotencyHeader;
import dev.runyard.core.submit.SubmitRun;

/// Submits the requests of one route. A key belongs to its tenant and route: with the same body it
/// finds the run it created.
public final class KeyedSubmit {
  private final String route;
  private final SubmitRun submit;

  /// Submits the requests of `route`: a method and a path, which later versions must not change.
  public KeyedSubmit(String route, SubmitRun submit) {
    this.route = route;
    this.submit = submit;
  }

  /// Accepts `run`, which was read from the `body` of the request, once for the request's key.
  public SubmitRun.Result submit(RoutedRequest request, RunRequest run, ObjectNode body) {
    Caller caller = request.caller();
    String tenant = caller.tenant();
    return IdempotencyKey.with(
        request,
        key ->
            submit.submit(
                new SubmitRun.By(
                    tenant,
                    caller.requester(),
                    TraceParent.traceId(request.header(TraceParent.HEADER)).orElse(null)),
                run,
                key.map(
                    value ->
                        new SubmitRun.Key(
                            value, IdempotencyHeader.fingerprint(tenant, route, body)))),
        SubmitRun.Result.Rejected::new);
  }
}
