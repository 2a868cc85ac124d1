package dev.runyard.simulator;

import dev.runyard.core.access.KeyCheck;
import java.time.Instant;
import java.util.Random;

/// Shows keys to a process, which remembers them for a while.
final class KeyHolderActor implements Actor {
  private static final int FUNCTION_SECONDS = 30;
  private static final int PAUSE_MILLIS_MAX = 15_000;
  private static final int ACTS_MAX = 120;

  private final SimulatedCaller caller = new SimulatedCaller(Role.API, FUNCTION_SECONDS);
  private final SimulatedSystem system;
  private final KeyRing ring;
  private final Random random;
  private final KeyCheck check;
  private int acts;
  private Instant next;

  KeyHolderActor(SimulatedSystem system, KeyRing ring, Random random) {
    this.system = system;
    this.ring = ring;
    this.random = random;
    this.check =
        new KeyCheck(
            PlantedCallers.accessKeys(system, system.ports(caller).accessKeys()),
            system.skewed(),
            Runnable::run);
    this.next = system.now();
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    return acts < ACTS_MAX ? next : Instant.MAX;
  }

  @Override
  public void act() {
    acts++;
    next = system.now().plusMillis(random.nextInt(PAUSE_MILLIS_MAX));
    if (ring.held().isEmpty()) {
      return;
    }
    KeyRing.Held key = ring.held().get(random.nextInt(ring.held().size()));
    Instant began = system.now();
    ring.shown(key, check.identity(key.text()).isPresent(), began);
  }

  @Override
  public void crashed() {}
}
