package dev.runyard.core.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.application.Ports;
import dev.runyard.core.crash.CrashPoint;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// One event for one webhook, again and again, each time with a process that dies before or after
/// another call of a port: it is delivered at least once, always with the same id.
final class WebhookCrashTest {
  private static final int ROUNDS = 3;

  @Test
  void deliversWhateverCallIsTheLast() {
    for (boolean after : new boolean[] {false, true}) {
      for (boolean streamGivesUp : new boolean[] {false, true}) {
        int points = 0;
        while (new World(points, after).play(streamGivesUp)) {
          points++;
        }
        assertTrue(points > 5, "crashed at " + points + " calls");
      }
    }
  }

  private static final class World {
    private final CrashPoint point;
    private final WebhookRig rig;

    World(int at, boolean after) {
      this.point = new CrashPoint(at, after).disarmed();
      this.rig = new WebhookRig(this::faulty);
    }

    /// @return whether anything crashed
    boolean play(boolean streamGivesUp) {
      Webhook webhook = rig.created("run.completed");
      RunKey run = rig.running(null);
      rig.project(run);
      rig.answers.add(WebhookRig.ERROR);
      RunKey ended = rig.completed();
      rig.cases.projectRun();
      point.arm();
      if (!point.survives(() -> rig.project(ended)) && !streamGivesUp) {
        point.survives(() -> rig.project(ended));
      }
      if (point.crashed() && streamGivesUp) {
        rig.memory.streamFailures().send(ended, 0);
      }
      for (int i = 0; i < ROUNDS; i++) {
        drain();
        rig.clock.advance(Duration.ofMinutes(11));
        point.survives(rig::sweep);
        point.survives(rig::sweep);
        drain();
      }
      assertFalse(rig.received.isEmpty(), () -> "nothing was sent: " + this);
      assertEquals(
          1,
          rig.received.stream().map(WebhookRig::id).collect(Collectors.toSet()).size(),
          this::toString);
      assertEquals(Delivery.State.DELIVERED, rig.log(webhook).getFirst().state(), this::toString);
      assertTrue(
          rig.memory.models().snapshot(ended).orElseThrow().closed(), "the read model follows");
      return point.crashed();
    }

    /// A message whose function dies comes back.
    private void drain() {
      for (Optional<DeliveryKey> next = rig.memory.webhooks().take();
          next.isPresent();
          next = rig.memory.webhooks().take()) {
        DeliveryKey key = next.get();
        if (!point.survives(() -> rig.deliver.deliver(key))) {
          rig.memory.webhooks().queue().send(key, 0);
        }
      }
    }

    private Ports faulty(Ports ports) {
      return CrashPoint.ports(
          Ports.class,
          ports,
          name ->
              switch (name) {
                case "webhooks" ->
                    CrashPoint.ports(
                        WebhookPorts.class,
                        ports.webhooks(),
                        part -> webhooks(ports.webhooks(), part));
                case "models" -> point.counted(ReadModels.class, ports.models());
                default -> null;
              });
    }

    private @Nullable Object webhooks(WebhookPorts ports, String name) {
      return switch (name) {
        case "registered" -> point.counted(Webhooks.class, ports.registered());
        case "deliveries" -> point.counted(Deliveries.class, ports.deliveries());
        case "queue" -> point.counted(DeliveryQueue.class, ports.queue());
        default -> null;
      };
    }

    @Override
    public String toString() {
      return point.toString();
    }
  }
}
