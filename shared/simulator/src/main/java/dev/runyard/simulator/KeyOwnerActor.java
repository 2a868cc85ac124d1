package dev.runyard.simulator;

import dev.runyard.core.access.Identity;
import dev.runyard.core.access.KeyOrder;
import dev.runyard.core.access.ManageKeys;
import dev.runyard.core.access.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/// Makes keys of a tenant, and revokes them.
final class KeyOwnerActor implements Actor {
  private static final int FUNCTION_SECONDS = 30;
  private static final int PAUSE_MILLIS_MAX = 40_000;
  private static final int KEYS_MAX = 5;
  private static final int ACTS_MAX = 40;
  private static final KeyOrder ORDER =
      new KeyOrder(
          Optional.empty(),
          Optional.of(HookTraffic.TENANT),
          Set.of(Scope.RUNS_READ),
          OptionalLong.empty());

  private final SimulatedCaller caller = new SimulatedCaller(Role.API, FUNCTION_SECONDS);
  private final SimulatedSystem system;
  private final KeyRing ring;
  private final Random random;
  private final ManageKeys manage;
  private int acts;
  private Instant next;

  KeyOwnerActor(SimulatedSystem system, KeyRing ring, Random random) {
    this.system = system;
    this.ring = ring;
    this.random = random;
    this.manage =
        new ManageKeys(system.ports(caller).accessKeys(), random, system.skewed(), system.ids());
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
    List<KeyRing.Held> open = ring.held().stream().filter(key -> !key.isRevoked()).toList();
    if (ring.held().size() < KEYS_MAX && (open.isEmpty() || random.nextBoolean())) {
      if (manage.make(new Identity.Operator(), ORDER)
          instanceof ManageKeys.Result.Made(var key, var text)) {
        ring.held().add(new KeyRing.Held(key.id(), text));
      }
    } else if (!open.isEmpty()) {
      KeyRing.Held key = open.get(random.nextInt(open.size()));
      key.revoke();
      if (manage.revoke(HookTraffic.TENANT, key.id()).isPresent()) {
        key.revoked(system.now());
      }
    }
  }

  @Override
  public void crashed() {}
}
