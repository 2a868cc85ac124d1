package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.access.IssueStreamToken;
import dev.runyard.core.access.Scope;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;

/// Tokens with which a page reads the events of one run, since an `EventSource` sends no header of
/// the page's.
public final class StreamTokensApi implements Resources<Endpoint> {
  private final RunLog runs;
  private final IssueStreamToken tokens;
  private final boolean taken;

  /// @param taken whether the stack takes such tokens; a gateway that wants signatures lets none
  ///   through
  public StreamTokensApi(RunLog runs, IssueStreamToken tokens, boolean taken) {
    this.runs = runs;
    this.tokens = tokens;
    this.taken = taken;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(Route.post(Scope.RUNS_READ, "/v1/runs/{id}/stream-tokens", this::issue));
  }

  private Reply issue(ApiRequest request) {
    if (!taken) {
      return Reply.of(
          ProblemCode.SIGNED_ACCESS,
          "This stack takes signed requests alone. Sign the address of the stream instead, with"
              + " the signature in its query (SigV4).");
    }
    if (request.body().isPresent()) {
      return Reply.of(ProblemCode.INVALID_REQUEST, "This takes no body.");
    }
    return request.ofRun(
        runs,
        run -> {
          IssueStreamToken.Issued issued =
              tokens.issue(run.facts().run(), request.caller().actor());
          return Reply.json(
              201,
              JsonNodeFactory.instance
                  .objectNode()
                  .put("token", issued.text())
                  .put("expires_at", issued.expires().toString()));
        });
  }
}
