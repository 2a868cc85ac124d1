package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.core.hook.HookDelivery;
import dev.runyard.core.hook.HookId;
import dev.runyard.core.hook.HookLimits;
import dev.runyard.core.hook.HookOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [HookDeliveries] promises.
public abstract class HookDeliveriesContract {
  private HookDeliveries deliveries;
  private HookId hook = new HookId("none", "none");

  /// The store under test; it may hold deliveries of other tenants.
  protected abstract HookDeliveries hookDeliveries();

  @BeforeEach
  void open() {
    deliveries = hookDeliveries();
    hook = new HookId(SampleRuns.tenant(), "a");
  }

  @Test
  void hasTheNewestFirst() {
    List<HookDelivery> added = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      added.add(delivery(i, HookOutcome.STARTED));
      deliveries.add(added.getLast());
    }

    assertEquals(added.reversed(), deliveries.newest(hook, 100));
    assertEquals(added.reversed().subList(0, 2), deliveries.newest(hook, 2));
  }

  @Test
  void keepsFewWithoutProofAndAllOthers() {
    deliveries.add(delivery(0, HookOutcome.IGNORED));
    for (int i = 0; i < 3 * HookLimits.UNPROVEN_KEPT; i++) {
      deliveries.add(delivery(i, HookOutcome.UNPROVEN));
    }

    List<HookDelivery> kept = deliveries.newest(hook, 100);
    assertEquals(HookLimits.UNPROVEN_KEPT + 1, kept.size());
    assertEquals(delivery(3 * HookLimits.UNPROVEN_KEPT - 1, HookOutcome.UNPROVEN), kept.getFirst());
    assertEquals(delivery(0, HookOutcome.IGNORED), kept.getLast());
  }

  @Test
  void keepsHooksAndTenantsApart() {
    deliveries.add(delivery(0, HookOutcome.STARTED));

    assertEquals(List.of(), deliveries.newest(new HookId(hook.tenant(), "b"), 10));
    assertEquals(List.of(), deliveries.newest(new HookId(SampleRuns.tenant(), "a"), 10));
  }

  private HookDelivery delivery(int number, HookOutcome outcome) {
    return new HookDelivery(
        hook,
        SampleRuns.START.plusSeconds(number),
        outcome,
        "d-" + number,
        "issues",
        number,
        outcome == HookOutcome.STARTED
            ? Optional.of("019c0000-0000-7000-8000-000000000001")
            : Optional.empty(),
        "größe",
        Optional.of("invalid_request"),
        Optional.empty());
  }
}
