package dev.runyard.simulator;

import dev.runyard.core.application.UseCases;
import dev.runyard.core.hook.ReceiveHook;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Another system that delivers to a hook, with the function that it calls: until each delivery is
/// taken, and some of them once more.
final class HookSenderActor implements Actor {
  private static final int FUNCTION_SECONDS = 30;
  private static final int PAUSE_MILLIS_MAX = 20_000;
  private static final int REPEATS_MAX = 8;

  private final SimulatedCaller caller = new SimulatedCaller(Role.API, FUNCTION_SECONDS);
  private final SimulatedSystem system;
  private final HookTraffic traffic;
  private final ReceiveHook receive;
  private final Random random;
  private int repeats = REPEATS_MAX;
  private Instant next;

  HookSenderActor(SimulatedSystem system, HookTraffic traffic, Random random) {
    this.system = system;
    this.traffic = traffic;
    this.random = random;
    InstantSource clock = system.skewed();
    UseCases api = system.useCases(system.ports(caller), clock, PlantedCallers.HOOKS);
    this.receive = traffic.receive(api, clock);
    this.next = system.now();
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    return traffic.done() && repeats == 0 ? Instant.MAX : next;
  }

  @Override
  public void act() {
    next = system.now().plusMillis(random.nextInt(PAUSE_MILLIS_MAX));
    List<Integer> open =
        IntStream.range(0, traffic.count()).filter(n -> !traffic.answered(n)).boxed().toList();
    if (open.isEmpty() || (repeats > 0 && random.nextInt(4) == 0)) {
      repeats = Math.max(0, repeats - 1);
      deliver(random.nextInt(traffic.count()), random.nextBoolean());
    } else {
      deliver(open.get(random.nextInt(open.size())), false);
    }
  }

  private void deliver(int number, boolean renamed) {
    var _ = traffic.deliver(receive, number, renamed);
  }

  @Override
  public void crashed() {}
}
