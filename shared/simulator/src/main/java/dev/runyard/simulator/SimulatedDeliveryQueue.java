package dev.runyard.simulator;

import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.DeliveryQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// The queue of deliveries as its event source has it: a message that was not deleted comes again,
/// and is set aside after some times; at times one is given out twice.
final class SimulatedDeliveryQueue implements DeliveryQueue {
  private static final Duration HIDDEN = Duration.ofMinutes(3);
  private static final int RECEIVES_MAX = 5;
  private static final double DUPLICATE = 0.2;

  private final SimulatedSystem system;
  private final Random random;
  private final List<Message> messages = new ArrayList<>();
  private long duplicates;

  SimulatedDeliveryQueue(SimulatedSystem system, Random random) {
    this.system = system;
    this.random = random;
  }

  /// A message as it was received: with another receipt each time.
  record Message(DeliveryKey key, Instant visibleAt, int receives) {}

  @Override
  public void send(DeliveryKey delivery, int delaySeconds) {
    messages.add(new Message(delivery, system.now().plusSeconds(delaySeconds), 0));
  }

  /// When there is something to receive.
  Instant nextAt() {
    return messages.stream()
        .map(Message::visibleAt)
        .min(Comparator.naturalOrder())
        .orElse(Instant.MAX);
  }

  /// Hides the message that has waited longest, and gives it out.
  Optional<Message> receive() {
    Optional<Message> first =
        messages.stream()
            .filter(message -> !message.visibleAt().isAfter(system.now()))
            .min(Comparator.comparing(Message::visibleAt));
    return first.map(this::received);
  }

  private Message received(Message message) {
    messages.remove(message);
    if (system.faults().strikes(Fault.DUPLICATE, DUPLICATE)) {
      duplicates++;
      Instant soon = system.now().plusMillis(random.nextInt(12_000));
      messages.add(new Message(message.key(), soon, message.receives()));
    }
    Message hidden = new Message(message.key(), system.now().plus(HIDDEN), message.receives() + 1);
    if (hidden.receives() < RECEIVES_MAX) {
      messages.add(hidden);
    } else {
      system.alarms().raise(Alarms.Alarm.WEBHOOK_FAILURES);
    }
    return hidden;
  }

  void delete(Message received) {
    messages.remove(received);
  }

  /// Messages that were given out twice.
  long duplicates() {
    return duplicates;
  }
}
