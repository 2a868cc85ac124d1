package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.action.DecisionReader;
import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.RunState;
import dev.runyard.core.view.ActionJson;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;
import java.util.Optional;

/// What runs ask people, and what people decide.
public final class ActionsApi implements Resources<Endpoint> {
  private final ResolveAction resolve;
  private final RunLog runs;

  public ActionsApi(ResolveAction resolve, RunLog runs) {
    this.resolve = resolve;
    this.runs = runs;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.get(Scope.RUNS_READ, "/v1/runs/{id}/actions", this::list),
        Route.post(Scope.ACTIONS_DECIDE, "/v1/actions/{id}", Endpoint.plain(this::decide)));
  }

  private Reply list(ApiRequest request) {
    return request.ofRun(runs, ActionsApi::actions);
  }

  private static Reply actions(RunState.Existing run) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    run.facts().interactions().actions().stream()
        .map(ActionJson::of)
        .forEach(json.putArray("actions")::add);
    return Reply.json(200, json);
  }

  private Reply decide(ApiRequest request) {
    String actionId = request.named("id");
    Optional<String> run = ActionId.runId(actionId);
    if (run.isEmpty()) {
      return Reply.of(ProblemCode.ACTION_NOT_FOUND, "There is no action with this id.");
    }
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return switch (DecisionReader.read(request.bytes())) {
      case DecisionReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case DecisionReader.Result.Accepted accepted ->
          switch (resolve.resolve(
              new RunKey(request.caller().tenant(), run.get()),
              actionId,
              accepted.decision(),
              accepted.payload(),
              request.caller().requester())) {
            case ResolveAction.Result.Rejected rejected -> Reply.of(rejected.problem());
            case ResolveAction.Result.Decided done -> Reply.json(200, ActionJson.of(done.action()));
          };
    };
  }
}
