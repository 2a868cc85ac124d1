package dev.runyard.simulator;

import dev.runyard.core.webhook.DeliverWebhook;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/// One of the parallel copies of the function `deliver`, with its event source.
final class DeliverActor implements Actor {
  private static final int FUNCTION_SECONDS = 60;
  private static final int PAUSE_MILLIS_MAX = 200;
  private static final Duration UNREACHABLE_PAUSE = Duration.ofSeconds(1);

  private final SimulatedCaller caller = new SimulatedCaller(Role.DELIVER, FUNCTION_SECONDS);
  private final SimulatedSystem system;
  private final SimulatedDeliveryQueue messages;
  private final DeliverWebhook deliver;
  private final Random random;
  private Instant next;

  DeliverActor(
      SimulatedSystem system,
      SimulatedDeliveryQueue messages,
      SimulatedReceiver receiver,
      Random random) {
    this.system = system;
    this.messages = messages;
    this.random = random;
    this.deliver =
        system
            .useCases(system.ports(caller), system.skewed(), "deliver")
            .deliverWebhook(PlantedCallers.sender(system, receiver));
    this.next = system.now();
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    Instant message = messages.nextAt();
    return message.isBefore(next) ? next : message;
  }

  /// Nothing comes while its event source does not reach the queue. A message whose delivery could
  /// not be read or written is not deleted, and comes again.
  @Override
  public void act() {
    next = system.now().plusMillis(random.nextInt(PAUSE_MILLIS_MAX));
    if (system.faults().away(Port.QUEUE)) {
      next = system.now().plus(UNREACHABLE_PAUSE);
      return;
    }
    messages
        .receive()
        .ifPresent(
            message -> {
              deliver.deliver(message.key());
              messages.delete(message);
            });
  }

  @Override
  public void crashed() {}
}
