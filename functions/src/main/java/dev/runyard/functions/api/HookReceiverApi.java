package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.hook.HookDelivery;
import dev.runyard.core.hook.HookLimits;
import dev.runyard.core.hook.HookRequest;
import dev.runyard.core.hook.ReceiveHook;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;

/// Where other systems deliver their webhooks. Anybody may call; what is delivered proves its
/// sender itself.
public final class HookReceiverApi implements Resources<Endpoint> {
  private static final String HOOK = "/v1/hooks/{id}";

  private final ReceiveHook receive;

  public HookReceiverApi(ReceiveHook receive) {
    this.receive = receive;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.open("POST", HOOK, this::receive),
        Route.elsewhere("GET", HOOK),
        Route.elsewhere("PATCH", HOOK),
        Route.elsewhere("DELETE", HOOK));
  }

  private Reply receive(ApiRequest request) {
    byte[] body = request.bytes();
    if (body.length > HookLimits.DELIVERY_BYTES_MAX) {
      return Reply.of(
          ProblemCode.BODY_TOO_LARGE,
          "A delivery has at most %d bytes.".formatted(HookLimits.DELIVERY_BYTES_MAX));
    }
    return switch (receive.receive(
        request.named("id"),
        new HookRequest(request.headers(), body, request.caller().requestId()))) {
      case ReceiveHook.Answer.Unknown _ ->
          Reply.of(
              ProblemCode.HOOK_NOT_FOUND,
              "There is no such hook, or this delivery does not prove that it comes from its sender.");
      case ReceiveHook.Answer.Again again -> Reply.of(again.problem());
      case ReceiveHook.Answer.Challenge(String text) ->
          Reply.json(200, JsonNodeFactory.instance.objectNode().put("challenge", text));
      case ReceiveHook.Answer.Taken(HookDelivery delivery) -> Reply.json(202, shown(delivery));
    };
  }

  private static ObjectNode shown(HookDelivery delivery) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("outcome", delivery.outcome().wire());
    json.put("run_id", delivery.runId().orElse(null));
    json.put("reason", delivery.reason());
    json.put("code", delivery.code().orElse(null));
    json.put("pointer", delivery.pointer().orElse(null));
    return json;
  }
}
