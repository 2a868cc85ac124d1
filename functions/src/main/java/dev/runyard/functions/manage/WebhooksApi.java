package dev.runyard.functions.manage;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.Delivery;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.ManageWebhooks;
import dev.runyard.core.webhook.Webhook;
import dev.runyard.core.webhook.WebhookJson;
import dev.runyard.core.webhook.WebhookOrder;
import dev.runyard.core.webhook.WebhookUrl;
import dev.runyard.functions.http.MadeOnce;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Who is told of what happens to runs, and how that went.
public final class WebhooksApi implements Resources<Endpoint> {
  private static final String WEBHOOKS = "/v1/webhooks";
  private static final String WEBHOOK = WEBHOOKS + "/{id}";
  private static final String DELIVERIES = WEBHOOK + "/deliveries";
  private static final int LIST_DEFAULT = 50;

  private final ManageWebhooks webhooks;
  private final WebhookUrl.Places places;
  private final MadeOnce once;

  /// @param places where they may be
  public WebhooksApi(ManageWebhooks webhooks, WebhookUrl.Places places, MadeOnce once) {
    this.once = once;
    this.webhooks = webhooks;
    this.places = places;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    Scope scope = Scope.WEBHOOKS_MANAGE;
    return List.of(
        Route.post(scope, WEBHOOKS, Endpoint.plain(this::create)),
        Route.get(scope, WEBHOOKS, Endpoint.plain(this::list)),
        Route.get(scope, WEBHOOK, Endpoint.plain(this::get)),
        Route.patch(scope, WEBHOOK, Endpoint.plain(this::change)),
        Route.delete(scope, WEBHOOK, Endpoint.plain(this::delete)),
        Route.post(scope, WEBHOOK + "/rotate", Endpoint.plain(this::rotate)),
        Route.post(scope, WEBHOOK + "/ping", Endpoint.plain(this::ping)),
        Route.get(scope, DELIVERIES, this::deliveries),
        Route.post(scope, DELIVERIES + "/{deliveryId}/redeliver", Endpoint.plain(this::redeliver)));
  }

  private Reply create(ApiRequest request) {
    return read(
        request,
        WebhookOrder.creation(request.bytes(), places),
        order ->
            once.answer(
                request,
                request.bytes(),
                "POST " + WEBHOOKS,
                webhooks::drawnId,
                id -> created(request, id, order)));
  }

  private Reply created(ApiRequest request, String id, WebhookOrder order) {
    return reply(
        webhooks.create(tenant(request), id, order),
        webhook ->
            Reply.json(201, WebhookJson.withSecret(webhook))
                .with("Location", request.url() + "/" + webhook.id()));
  }

  private Reply list(ApiRequest request) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode all = json.putArray("webhooks");
    webhooks.all(tenant(request)).stream().map(WebhookJson::of).forEach(all::add);
    return Reply.json(200, json);
  }

  private Reply get(ApiRequest request) {
    return webhooks
        .find(tenant(request), request.named("id"))
        .map(found -> Reply.json(200, WebhookJson.of(found)))
        .orElseGet(() -> Reply.of(ManageWebhooks.webhookNotFound()));
  }

  private Reply change(ApiRequest request) {
    return read(
        request,
        WebhookOrder.change(request.bytes(), places),
        order ->
            reply(
                webhooks.change(tenant(request), request.named("id"), order),
                webhook -> Reply.json(200, WebhookJson.of(webhook))));
  }

  private Reply delete(ApiRequest request) {
    return reply(webhooks.delete(tenant(request), request.named("id")), _ -> Reply.empty(204));
  }

  private Reply rotate(ApiRequest request) {
    if (request.body().isPresent() && !request.isJson()) {
      return Reply.notJson();
    }
    return switch (WebhookOrder.rotation(request.bytes())) {
      case WebhookOrder.Result.Rejected<Duration> rejected -> Reply.of(rejected.problem());
      case WebhookOrder.Result.Accepted<Duration> accepted ->
          reply(
              webhooks.rotate(tenant(request), request.named("id"), accepted.order()),
              webhook -> Reply.json(200, WebhookJson.withSecret(webhook)));
    };
  }

  private Reply ping(ApiRequest request) {
    return sent(webhooks.ping(tenant(request), request.named("id")));
  }

  private Reply deliveries(ApiRequest request) {
    Query query = request.query("limit", "cursor");
    int limit = (int) query.whole("limit", 1, Deliveries.LIST_MAX, LIST_DEFAULT);
    Optional<String> after = query.text("cursor");
    if (after.isPresent() && !DeliveryKey.isDelivery(after.get())) {
      query.refuse(ProblemCode.INVALID_CURSOR, "cursor must be a next_cursor of the same webhook.");
    }
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    String id = request.named("id");
    return Optional.of(id)
        .filter(DeliveryKey::isWebhook)
        .flatMap(known -> webhooks.deliveries(tenant(request), known, limit, after))
        .map(page -> Reply.json(200, shown(page, limit)))
        .orElseGet(() -> Reply.of(ManageWebhooks.webhookNotFound()));
  }

  private static ObjectNode shown(List<Delivery> page, int limit) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode all = json.putArray("deliveries");
    page.stream().map(WebhookJson::of).forEach(all::add);
    return json.put("next_cursor", page.size() < limit ? null : page.getLast().key().id());
  }

  private Reply redeliver(ApiRequest request) {
    String webhook = request.named("id");
    String delivery = request.named("deliveryId");
    if (!DeliveryKey.isWebhook(webhook) || !DeliveryKey.isDelivery(delivery)) {
      return Reply.of(ProblemCode.DELIVERY_NOT_FOUND, "There is no delivery of this id.");
    }
    return sent(webhooks.redeliver(new DeliveryKey(tenant(request), webhook, delivery)));
  }

  private static Reply sent(ManageWebhooks.Sent sent) {
    return switch (sent) {
      case ManageWebhooks.Sent.Done(Delivery delivery) -> Reply.json(202, WebhookJson.of(delivery));
      case ManageWebhooks.Sent.Refused refused -> Reply.of(refused.problem());
    };
  }

  private static Reply reply(ManageWebhooks.Answer answer, Function<Webhook, Reply> shown) {
    return switch (answer) {
      case ManageWebhooks.Answer.Done(Webhook webhook) -> shown.apply(webhook);
      case ManageWebhooks.Answer.Refused refused -> Reply.of(refused.problem());
    };
  }

  private static Reply read(
      ApiRequest request,
      WebhookOrder.Result<WebhookOrder> order,
      Function<WebhookOrder, Reply> answer) {
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return switch (order) {
      case WebhookOrder.Result.Rejected<WebhookOrder> rejected -> Reply.of(rejected.problem());
      case WebhookOrder.Result.Accepted<WebhookOrder> accepted -> answer.apply(accepted.order());
    };
  }

  private static String tenant(ApiRequest request) {
    return request.caller().tenant();
  }
}
