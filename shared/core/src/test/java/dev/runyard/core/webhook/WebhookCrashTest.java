package dev.runyard.core.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.application.Ports;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
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

  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final class World {
    private final int at;
    private final boolean after;
    private final WebhookRig rig = new WebhookRig(this::faulty);
    private int calls;
    private boolean armed;
    private boolean crashed;

    World(int at, boolean after) {
      this.at = at;
      this.after = after;
    }

    /// @return whether anything crashed
    boolean play(boolean streamGivesUp) {
      Webhook webhook = rig.created("run.completed");
      RunKey run = rig.running(null);
      rig.project(run);
      rig.answers.add(WebhookRig.ERROR);
      RunKey ended = rig.completed();
      rig.cases.projectRun();
      armed = true;
      if (!safely(() -> rig.project(ended)) && !streamGivesUp) {
        safely(() -> rig.project(ended));
      }
      if (crashed && streamGivesUp) {
        rig.memory.streamFailures().send(ended, 0);
      }
      for (int i = 0; i < ROUNDS; i++) {
        drain();
        rig.clock.advance(Duration.ofMinutes(11));
        safely(rig::sweep);
        safely(rig::sweep);
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
      return crashed;
    }

    /// A message whose function dies comes back.
    private void drain() {
      for (Optional<DeliveryKey> next = rig.memory.webhooks().take();
          next.isPresent();
          next = rig.memory.webhooks().take()) {
        DeliveryKey key = next.get();
        if (!safely(() -> rig.deliver.deliver(key))) {
          rig.memory.webhooks().queue().send(key, 0);
        }
      }
    }

    private boolean safely(Runnable step) {
      try {
        step.run();
        return true;
      } catch (Crash _) {
        return false;
      }
    }

    private Ports faulty(Ports ports) {
      return port(
          Ports.class,
          ports,
          name ->
              switch (name) {
                case "webhooks" -> port(WebhookPorts.class, ports.webhooks(), this::webhooks);
                case "models" -> counted(ReadModels.class, ports.models());
                default -> null;
              });
    }

    private @Nullable Object webhooks(String name) {
      WebhookPorts ports = rig.memory.webhooks();
      return switch (name) {
        case "registered" -> counted(Webhooks.class, ports.registered());
        case "deliveries" -> counted(Deliveries.class, ports.deliveries());
        case "queue" -> counted(DeliveryQueue.class, ports.queue());
        default -> null;
      };
    }

    private interface Others {
      @Nullable Object of(String method);
    }

    private static <T> T port(Class<T> type, T behind, Others others) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (_, method, arguments) -> {
                Object other = others.of(method.getName());
                return other != null ? other : method.invoke(behind, arguments);
              }));
    }

    private <T> T counted(Class<T> type, T behind) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (_, method, arguments) -> {
                boolean here = armed && !crashed && calls++ == at;
                if (here && !after) {
                  crashed = true;
                  throw new Crash();
                }
                try {
                  Object answer = method.invoke(behind, arguments);
                  if (here) {
                    crashed = true;
                    throw new Crash();
                  }
                  return answer;
                } catch (InvocationTargetException e) {
                  throw Objects.requireNonNull(e.getCause());
                }
              }));
    }

    @Override
    public String toString() {
      return (after ? "after" : "before") + " call " + at;
    }
  }
}
