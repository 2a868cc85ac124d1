package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.release.Release;
import dev.runyard.core.run.RunForm;
import dev.runyard.core.view.AgentJson;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;

/// The resources under `/v1/agents`: the agents, and their extensions; and of which release the
/// stack is that has them.
public final class AgentsApi implements Resources<Endpoint> {
  private final AgentCatalog catalog;

  public AgentsApi(AgentCatalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.get(Scope.AGENTS_READ, "/v1/agents", Endpoint.plain(_ -> list())),
        Route.get(
            Scope.AGENTS_READ,
            "/v1/agents/{kind}",
            Endpoint.plain(request -> get(request.named("kind")))));
  }

  Reply list() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    catalog.all().stream().map(AgentJson::of).forEach(json.putArray("agents")::add);
    json.putObject("stack").put("release", Release.number()).put("form", RunForm.CURRENT);
    return Reply.json(200, json);
  }

  Reply get(String kind) {
    return catalog
        .find(kind)
        .map(manifest -> Reply.json(200, AgentJson.of(manifest)))
        .orElseGet(
            () ->
                Reply.of(
                    ProblemCode.UNKNOWN_BACKEND,
                    AgentKind.isKind(kind) ? "unknown backend: " + kind : "unknown backend"));
  }
}
