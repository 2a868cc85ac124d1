package dev.runyard.core.webhook;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.webhook.Webhooks.Registered;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// What a tenant does with its webhooks and their deliveries.
public final class ManageWebhooks {
  /// Webhooks of a tenant.
  public static final int WEBHOOKS_MAX = 20;

  private static final int WRITES_MAX = 20;

  private final WebhookPorts ports;
  private final InstantSource clock;
  private final Ids ids;
  private final Supplier<WebhookSecret> secrets;

  /// @param secrets draws a new one with each call
  public ManageWebhooks(
      WebhookPorts ports, InstantSource clock, Ids ids, Supplier<WebhookSecret> secrets) {
    this.ports = ports;
    this.clock = clock;
    this.ids = ids;
    this.secrets = secrets;
  }

  /// What came of a request.
  public sealed interface Answer {
    record Done(Webhook webhook) implements Answer {}

    record Refused(Problem problem) implements Answer {}
  }

  /// An id for a new webhook.
  public String drawnId() {
    return "wh_" + ids.token();
  }

  public Answer create(String tenant, WebhookOrder order) {
    return create(tenant, drawnId(), order);
  }

  /// Makes the webhook of an id that was drawn for it, unless it was made before.
  public Answer create(String tenant, String id, WebhookOrder order) {
    Webhook made =
        new Webhook(
            id,
            order.url().orElse(null),
            order.description().orElse(""),
            order.events().orElseThrow(),
            List.of(secrets.get()),
            clock.instant(),
            null,
            null);
    return write(tenant, all -> adding(all, made));
  }

  private static Step adding(Registered all, Webhook made) {
    return all.find(made.id())
        .<Step>map(Step.Found::new)
        .orElseGet(
            () ->
                all.webhooks().size() >= WEBHOOKS_MAX
                    ? new Step.Refused(
                        ProblemCode.WEBHOOKS_FULL,
                        "There are %d webhooks already. Delete one that is not needed."
                            .formatted(WEBHOOKS_MAX))
                    : new Step.Write(all.adding(made), made));
  }

  public List<Webhook> all(String tenant) {
    return ports.registered().read(tenant).webhooks();
  }

  public Optional<Webhook> find(String tenant, String id) {
    return ports.registered().read(tenant).find(id);
  }

  /// Changes what the order has and leaves the rest.
  public Answer change(String tenant, String id, WebhookOrder order) {
    return write(
        tenant,
        id,
        before -> {
          Webhook next =
              before.with(
                  order.url().orElse(before.url()),
                  order.description().orElse(before.description()),
                  order.events().orElse(before.events()));
          if (order.enabled().isEmpty()) {
            return next;
          }
          return order.enabled().get()
              ? next.with(null, null)
              : next.with(
                  next.failingSince(),
                  next.disabled() != null
                      ? next.disabled()
                      : new Webhook.Disabled(Webhook.Cause.REQUESTED, clock.instant()));
        });
  }

  /// Gives it a new secret, beside which the one before counts for `overlap`.
  public Answer rotate(String tenant, String id, Duration overlap) {
    WebhookSecret next = secrets.get();
    return write(tenant, id, before -> before.rotated(next, clock.instant(), overlap));
  }

  public Answer delete(String tenant, String id) {
    return write(
        tenant,
        all ->
            all.find(id)
                .<Step>map(gone -> new Step.Write(all.without(id), gone))
                .orElseGet(ManageWebhooks::notFound));
  }

  /// A delivery, or why there is none.
  public sealed interface Sent {
    record Done(Delivery delivery) implements Sent {}

    record Refused(Problem problem) implements Sent {}
  }

  /// Sends something that tells of no run, as any other delivery.
  public Sent ping(String tenant, String id) {
    Optional<Webhook> webhook = find(tenant, id);
    if (webhook.isEmpty()) {
      return new Sent.Refused(webhookNotFound());
    }
    if (webhook.get().disabled() != null) {
      return new Sent.Refused(disabled());
    }
    Instant now = clock.instant();
    Delivery first =
        Delivery.first(
            DeliveryKey.of(tenant, id, now, "ping " + ids.token()),
            WebhookEvent.PING,
            null,
            WebhookBody.ping(id, now),
            now);
    Delivery delivery = webhook.get().isFeed() ? first.held() : first;
    ports.deliveries().add(delivery);
    if (delivery.state() == Delivery.State.WAITING) {
      ports.queue().send(delivery.key(), 0);
    }
    return new Sent.Done(delivery);
  }

  /// The log of a webhook, of the webhook of a run, or of the bus; empty if there is no such
  /// webhook.
  public Optional<List<Delivery>> deliveries(
      String tenant, String webhookId, int limit, Optional<String> after) {
    List<Delivery> page = ports.deliveries().list(tenant, webhookId, limit, after);
    return page.isEmpty() && after.isEmpty() && find(tenant, webhookId).isEmpty()
        ? Optional.empty()
        : Optional.of(page);
  }

  /// Tries a delivery anew, whatever became of it.
  public Sent redeliver(DeliveryKey key) {
    for (int i = 0; i < WRITES_MAX; i++) {
      Optional<Delivery> found = ports.deliveries().find(key);
      if (found.isEmpty()) {
        return new Sent.Refused(
            Problem.of(
                ProblemCode.DELIVERY_NOT_FOUND, "There is no delivery of this id, or no longer."));
      }
      if (found.get().target() == null && !key.webhookId().equals(EventBus.ID)) {
        Optional<Webhook> webhook = find(key.tenant(), key.webhookId());
        if (webhook.isEmpty()) {
          return new Sent.Refused(webhookNotFound());
        }
        if (webhook.get().disabled() != null) {
          return new Sent.Refused(disabled());
        }
        if (webhook.get().isFeed()) {
          return new Sent.Done(found.get());
        }
      }
      Delivery again = found.get().again(clock.instant());
      if (ports.deliveries().update(again)) {
        ports.queue().send(key, 0);
        return new Sent.Done(again);
      }
    }
    throw new PortUnavailable("a delivery is written by too many at once");
  }

  private Answer write(String tenant, String id, Function<Webhook, Webhook> change) {
    return write(
        tenant,
        all ->
            all.find(id)
                .<Step>map(
                    before -> {
                      Webhook next = change.apply(before);
                      return new Step.Write(all.replacing(next), next);
                    })
                .orElseGet(ManageWebhooks::notFound));
  }

  private Answer write(String tenant, Function<Registered, Step> decide) {
    for (int i = 0; i < WRITES_MAX; i++) {
      switch (decide.apply(ports.registered().read(tenant))) {
        case Step.Refused(ProblemCode code, String detail) -> {
          return new Answer.Refused(Problem.of(code, detail));
        }
        case Step.Found(Webhook webhook) -> {
          return new Answer.Done(webhook);
        }
        case Step.Write(Registered next, Webhook webhook) -> {
          if (ports.registered().write(tenant, next)) {
            return new Answer.Done(webhook);
          }
        }
      }
    }
    throw new PortUnavailable("webhooks are written by too many at once");
  }

  private static Step notFound() {
    Problem problem = webhookNotFound();
    return new Step.Refused(problem.code(), problem.detail());
  }

  public static Problem webhookNotFound() {
    return Problem.of(ProblemCode.WEBHOOK_NOT_FOUND, "There is no webhook of this id.");
  }

  private static Problem disabled() {
    return Problem.of(
        ProblemCode.WEBHOOK_DISABLED,
        "The webhook is disabled. Enable it with PATCH {\"enabled\": true} first.");
  }

  private sealed interface Step {
    record Write(Registered next, Webhook webhook) implements Step {}

    record Found(Webhook webhook) implements Step {}

    record Refused(ProblemCode code, String detail) implements Step {}
  }
}
