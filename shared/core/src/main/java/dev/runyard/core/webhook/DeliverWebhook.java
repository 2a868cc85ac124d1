package dev.runyard.core.webhook;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.webhook.Delivery.State;
import dev.runyard.core.webhook.Delivery.Try;
import dev.runyard.core.webhook.WebhookSender.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Tries a delivery once and writes what came of it. Whoever dies in between leaves it as it was,
/// so it is tried again: a receiver gets each at least once, always with the same id.
public final class DeliverWebhook {
  private static final int GONE = 410;
  private static final int HEALTH_WRITES_MAX = 10;

  private final WebhookPorts ports;
  private final WebhookSender sender;
  private final InstantSource clock;

  public DeliverWebhook(WebhookPorts ports, WebhookSender sender, InstantSource clock) {
    this.ports = ports;
    this.sender = sender;
    this.clock = clock;
  }

  /// What came of a message.
  public enum Outcome {
    DELIVERED("delivered"),
    /// It is tried again later.
    WAITS("waits"),
    FAILED("failed"),
    /// It failed, and its webhook is sent nothing more.
    DISABLED("webhook_disabled"),
    /// There was nothing to do, or somebody else did it.
    NOTHING("nothing");

    private final String wire;

    Outcome(String wire) {
      this.wire = wire;
    }

    public String wire() {
      return wire;
    }
  }

  public Outcome deliver(DeliveryKey key) {
    Optional<Delivery> found = ports.deliveries().find(key).filter(this::isDue);
    if (found.isEmpty()) {
      return Outcome.NOTHING;
    }
    Delivery delivery = found.get();
    if (delivery.key().webhookId().equals(EventBus.ID)) {
      return published(delivery);
    }
    Delivery.Target own = delivery.target();
    if (own != null) {
      return tried(delivery, own.url(), List.of(own.secret()), Optional.empty());
    }
    Optional<Webhook> webhook = ports.registered().read(key.tenant()).find(key.webhookId());
    String url = webhook.map(Webhook::url).orElse(null);
    if (webhook.isEmpty() || url == null) {
      return over(delivery, State.FAILED, notTried("webhook_deleted"), Outcome.FAILED);
    }
    if (webhook.get().disabled() != null) {
      return over(delivery, State.FAILED, notTried("webhook_disabled"), Outcome.FAILED);
    }
    return tried(delivery, url, webhook.get().signing(clock.instant()), webhook);
  }

  private Outcome published(Delivery delivery) {
    Optional<EventBus> bus = ports.bus();
    if (bus.isEmpty()) {
      return over(delivery, State.FAILED, notTried("bus_removed"), Outcome.FAILED);
    }
    Instant begin = clock.instant();
    Answer answer = bus.get().publish(EventBus.Published.of(delivery));
    return answered(delivery, begin, answer, Optional.empty());
  }

  /// A message may come early by as much as clocks differ.
  private boolean isDue(Delivery delivery) {
    Instant next = delivery.nextAt();
    return delivery.state() == State.WAITING
        && next != null
        && !next.isAfter(clock.instant().plusSeconds(Limits.CLOCK_SKEW_SECONDS_MAX));
  }

  private Outcome tried(
      Delivery delivery, String url, List<String> secrets, Optional<Webhook> webhook) {
    Instant begin = clock.instant();
    byte[] body = delivery.body().getBytes(StandardCharsets.UTF_8);
    Map<String, String> headers =
        new LinkedHashMap<>(WebhookSignature.headers(delivery.key().id(), begin, body, secrets));
    Answer answer = sender.send(new WebhookSender.Outgoing(url, headers, delivery.body()));
    return answered(delivery, begin, answer, webhook);
  }

  private Outcome answered(
      Delivery delivery, Instant begin, Answer answer, Optional<Webhook> webhook) {
    Instant now = clock.instant();
    Try last = logged(begin, answer, Duration.between(begin, now).toMillis());
    boolean delivered = answer instanceof Answer.Status(int code, _) && code / 100 == 2;
    boolean gone = answer instanceof Answer.Status(int code, _) && code == GONE;
    boolean off = webhook.isPresent() && watch(delivery.key(), webhook.get(), delivered, gone, now);
    if (delivered) {
      return over(delivery, State.DELIVERED, last, Outcome.DELIVERED);
    }
    Optional<Duration> pause =
        gone || off
            ? Optional.empty()
            : RetrySchedule.pause(delivery.key(), delivery.tries() + 1, asked(answer));
    return pause.isPresent()
        ? retried(delivery, last, now, pause.get())
        : over(delivery, State.FAILED, last, off ? Outcome.DISABLED : Outcome.FAILED);
  }

  private Outcome over(Delivery delivery, State end, Try last, Outcome outcome) {
    return ports.deliveries().update(delivery.over(end, last)) ? outcome : Outcome.NOTHING;
  }

  /// What waits longer than a queue keeps a message back is sent by `sweep` when it is due.
  private Outcome retried(Delivery delivery, Try last, Instant now, Duration pause) {
    Instant next = now.plus(pause);
    long seconds = Math.ceilDiv(pause.toMillis(), 1000L);
    boolean queued = seconds <= DeliveryQueue.DELAY_SECONDS_MAX;
    Instant due = queued ? next.plusSeconds(RetrySchedule.GRACE_SECONDS) : next;
    if (!ports.deliveries().update(delivery.retried(last, next, due))) {
      return Outcome.NOTHING;
    }
    if (queued) {
      try {
        ports.queue().send(delivery.key(), (int) seconds);
      } catch (PortUnavailable _) {
        return Outcome.WAITS;
      }
    }
    return Outcome.WAITS;
  }

  private Try notTried(String outcome) {
    return new Try(clock.instant(), null, outcome, 0);
  }

  private static Try logged(Instant begin, Answer answer, long millis) {
    return switch (answer) {
      case Answer.Status(int code, _) ->
          new Try(begin, code, code / 100 == 2 ? "delivered" : "refused", millis);
      case Answer.None(WebhookSender.Trouble trouble) ->
          new Try(begin, null, trouble.wire(), millis);
    };
  }

  private static Optional<Duration> asked(Answer answer) {
    return answer instanceof Answer.Status(_, Optional<Duration> retryAfter)
        ? retryAfter
        : Optional.empty();
  }

  /// Writes since when a webhook fails, whenever that changes; most tries change nothing.
  ///
  /// @return whether the webhook is disabled now
  private boolean watch(
      DeliveryKey key, Webhook seen, boolean delivered, boolean gone, Instant now) {
    if (seen.tried(delivered, gone, now).equals(seen)) {
      return seen.disabled() != null;
    }
    for (int i = 0; i < HEALTH_WRITES_MAX; i++) {
      Webhooks.Registered all = ports.registered().read(key.tenant());
      Optional<Webhook> before = all.find(key.webhookId());
      if (before.isEmpty()) {
        return true;
      }
      Webhook after = before.get().tried(delivered, gone, now);
      if (after.equals(before.get())
          || ports.registered().write(key.tenant(), all.replacing(after))) {
        return after.disabled() != null;
      }
    }
    return false;
  }
}
