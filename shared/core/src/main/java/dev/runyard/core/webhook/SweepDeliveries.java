package dev.runyard.core.webhook;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/// Sends the messages of deliveries that are due: of those whose pause is longer than a queue keeps
/// a message back, and of those whose message was lost.
public final class SweepDeliveries {
  /// Most deliveries of one shard that one sweep handles.
  static final int DUE_MAX = 1_000;

  private final WebhookPorts ports;
  private final InstantSource clock;

  public SweepDeliveries(WebhookPorts ports, InstantSource clock) {
    this.ports = ports;
    this.clock = clock;
  }

  /// Looks at one shard, until the time is up. The delivery is put off before its message is sent,
  /// so a queue that is behind does not get more and more of them.
  public void sweep(int shard, Instant until) {
    for (DeliveryKey key : ports.deliveries().due(shard, clock.instant(), DUE_MAX)) {
      Instant now = clock.instant();
      if (!now.isBefore(until)) {
        return;
      }
      Optional<Delivery> due =
          ports.deliveries().find(key).filter(delivery -> isDue(delivery, now));
      if (due.isPresent()
          && ports
              .deliveries()
              .update(due.get().due(now.plusSeconds(RetrySchedule.RESENT_SECONDS)))) {
        ports.queue().send(key, 0);
      }
    }
  }

  private static boolean isDue(Delivery delivery, Instant now) {
    Instant due = delivery.dueAt();
    return due != null && !due.isAfter(now);
  }
}
