package dev.runyard.functions.manage;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.hook.Hook;
import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.core.hook.HookDelivery;
import dev.runyard.core.hook.HookLimits;
import dev.runyard.core.hook.HookMapping;
import dev.runyard.core.hook.HookPreview;
import dev.runyard.core.hook.Hooks;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.http.MadeOnce;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;
import java.util.function.Function;

/// Hooks, as those who manage them see them.
public final class HooksApi implements Resources<Endpoint> {
  private static final String PATH = "/v1/hooks";

  /// What a list shows of a hook.
  private static final List<String> LISTED =
      List.of("hook_id", "url", "name", "sender", "secret", "enabled", "created_at", "updated_at");

  private final Hooks hooks;
  private final HookDeliveries deliveries;
  private final HookPreview preview;
  private final MadeOnce once;

  public HooksApi(Hooks hooks, HookDeliveries deliveries, HookMapping mapping, MadeOnce once) {
    this.once = once;
    this.hooks = hooks;
    this.deliveries = deliveries;
    this.preview = new HookPreview(mapping);
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.post(Scope.WEBHOOKS_MANAGE, PATH, Endpoint.plain(this::create)),
        Route.get(Scope.WEBHOOKS_MANAGE, PATH, Endpoint.plain(this::list)),
        Route.get(Scope.WEBHOOKS_MANAGE, PATH + "/{id}", Endpoint.plain(this::get)),
        Route.patch(Scope.WEBHOOKS_MANAGE, PATH + "/{id}", Endpoint.plain(this::change)),
        Route.delete(Scope.WEBHOOKS_MANAGE, PATH + "/{id}", Endpoint.plain(this::delete)),
        Route.elsewhere("POST", PATH + "/{id}"),
        Route.post(Scope.WEBHOOKS_MANAGE, PATH + "/{id}/dry-run", Endpoint.plain(this::dryRun)),
        Route.get(Scope.WEBHOOKS_MANAGE, PATH + "/{id}/deliveries", this::deliveries));
  }

  private Reply create(ApiRequest request) {
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return hooks
        .refusal(request.bytes())
        .map(Reply::of)
        .orElseGet(
            () ->
                once.answer(
                    request,
                    request.bytes(),
                    "POST " + PATH,
                    hooks::drawnToken,
                    token -> created(request, token)));
  }

  private Reply created(ApiRequest request, String token) {
    return switch (hooks.create(request.caller().tenant(), token, request.bytes())) {
      case Hooks.Result.Rejected rejected -> Reply.of(rejected.problem());
      case Hooks.Result.Absent _ -> notFound();
      case Hooks.Result.Written(Hook hook) ->
          Reply.json(201, shown(hook, request))
              .with("Location", request.url() + "/" + hook.id().text());
    };
  }

  private Reply list(ApiRequest request) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    hooks.list(request.caller().tenant()).stream()
        .map(hook -> shown(hook, request).retain(LISTED))
        .forEach(json.putArray("hooks")::add);
    return Reply.json(200, json);
  }

  private Reply get(ApiRequest request) {
    return ofHook(request, hook -> Reply.json(200, shown(hook, request)));
  }

  private Reply change(ApiRequest request) {
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return switch (hooks.change(request.caller().tenant(), request.named("id"), request.bytes())) {
      case Hooks.Result.Rejected rejected -> Reply.of(rejected.problem());
      case Hooks.Result.Absent _ -> notFound();
      case Hooks.Result.Written(Hook hook) -> Reply.json(200, shown(hook, request));
    };
  }

  private Reply delete(ApiRequest request) {
    return hooks.delete(request.caller().tenant(), request.named("id"))
        ? Reply.empty(204)
        : notFound();
  }

  private Reply dryRun(ApiRequest request) {
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return ofHook(
        request,
        hook ->
            switch (preview.of(hook, request.bytes())) {
              case HookPreview.Result.Rejected rejected -> Reply.of(rejected.problem());
              case HookPreview.Result.Shown(ObjectNode json) -> Reply.json(200, json);
            });
  }

  private Reply deliveries(ApiRequest request) {
    Query query = request.query("limit");
    int limit =
        (int)
            query.whole(
                "limit", 1, HookLimits.DELIVERIES_LISTED_MAX, HookLimits.DELIVERIES_LISTED_MAX);
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    return ofHook(
        request,
        hook -> {
          ObjectNode json = JsonNodeFactory.instance.objectNode();
          deliveries.newest(hook.id(), limit).stream()
              .map(HookDelivery::json)
              .forEach(json.putArray("deliveries")::add);
          return Reply.json(200, json);
        });
  }

  private Reply ofHook(ApiRequest request, Function<Hook, Reply> answer) {
    return hooks
        .find(request.caller().tenant(), request.named("id"))
        .map(answer)
        .orElseGet(HooksApi::notFound);
  }

  private static Reply notFound() {
    return Reply.of(ProblemCode.HOOK_NOT_FOUND, "There is no hook with this id.");
  }

  private static ObjectNode shown(Hook hook, ApiRequest request) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("hook_id", hook.id().text());
    json.put("url", request.base() + PATH + "/" + hook.id().text());
    json.setAll(hook.definition());
    if (!json.hasNonNull("enabled")) {
      json.put("enabled", true);
    }
    json.put("created_at", JsonFormat.time(hook.createdAt()));
    json.put("updated_at", JsonFormat.time(hook.updatedAt()));
    return json;
  }
}
