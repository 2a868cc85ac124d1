package dev.runyard.functions.manage;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.KeyOrder;
import dev.runyard.core.access.ManageKeys;
import dev.runyard.core.access.Scope;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.view.KeyJson;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The keys of a tenant. The text of a key is in the answer to its making, and in no other.
public final class KeysApi implements Resources<Endpoint> {
  private static final String TENANT = "tenant";

  private final ManageKeys keys;

  public KeysApi(ManageKeys keys) {
    this.keys = keys;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.post(Scope.KEYS_MANAGE, "/v1/keys", Endpoint.plain(this::make)),
        Route.get(Scope.KEYS_MANAGE, "/v1/keys", request -> ofTenant(request, this::list)),
        Route.post(
            Scope.KEYS_MANAGE,
            "/v1/keys/{id}/revoke",
            request -> ofTenant(request, tenant -> revoke(tenant, request.named("id")))));
  }

  private Reply make(ApiRequest request) {
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return switch (KeyOrder.read(request.bytes())) {
      case KeyOrder.Result.Rejected rejected -> Reply.of(rejected.problem());
      case KeyOrder.Result.Accepted accepted ->
          switch (keys.make(request.caller().identity(), accepted.order())) {
            case ManageKeys.Result.Refused refused -> Reply.of(refused.problem());
            case ManageKeys.Result.Made made -> {
              ObjectNode json = KeyJson.of(made.key());
              yield Reply.json(201, json.put("key", made.text().secret()));
            }
          };
    };
  }

  /// The answer about the keys of the caller's tenant, or of another one that the query names.
  private static Reply ofTenant(ApiRequest request, Function<String, Reply> answer) {
    Query query = request.query(TENANT);
    String tenant = query.text(TENANT).orElseGet(() -> request.caller().tenant());
    if (!RunKey.isTenant(tenant)) {
      query.refuse(ProblemCode.INVALID_REQUEST, "tenant must be " + RunKey.TENANT_FORM + ".");
    }
    Optional<Problem> refusal =
        query.problem().or(() -> ManageKeys.refusal(request.caller().identity(), tenant));
    return refusal.map(Reply::of).orElseGet(() -> answer.apply(tenant));
  }

  private Reply list(String tenant) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    keys.list(tenant).stream().map(KeyJson::of).forEach(json.putArray("keys")::add);
    return Reply.json(200, json);
  }

  private Reply revoke(String tenant, String id) {
    return keys.revoke(tenant, id)
        .map(key -> Reply.json(200, KeyJson.of(key)))
        .orElseGet(() -> Reply.of(ProblemCode.KEY_NOT_FOUND, "There is no key with this id."));
  }
}
