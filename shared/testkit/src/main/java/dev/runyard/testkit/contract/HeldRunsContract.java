package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.HeldRuns;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [HeldRuns] promises.
public abstract class HeldRunsContract {
  private HeldRuns held;
  private String tenant = "";

  /// The store under test; it may hold runs of other tenants.
  protected abstract HeldRuns heldRuns();

  @BeforeEach
  void open() {
    held = heldRuns();
    tenant = SampleRuns.tenant();
  }

  @Test
  void givesTheOldestFirst() {
    RunKey first = SampleRuns.run(tenant);
    RunKey second = SampleRuns.run(tenant);
    RunKey third = SampleRuns.run(tenant);
    held.add(third);
    held.add(first);
    held.add(second);
    held.add(first);

    assertEquals(List.of(first, second), held.first(tenant, 2));
    assertEquals(List.of(first, second, third), held.first(tenant, 10));
  }

  @Test
  void letsARunGoOnce() {
    RunKey first = SampleRuns.run(tenant);
    RunKey second = SampleRuns.run(tenant);
    held.add(first);
    held.add(second);

    held.remove(first);
    held.remove(first);

    assertEquals(List.of(second), held.first(tenant, 10));
  }

  @Test
  void keepsTenantsApart() {
    held.add(SampleRuns.run(tenant));

    assertEquals(List.of(), held.first(SampleRuns.tenant(), 10));
    assertEquals(List.of(), held.first(tenant.substring(0, tenant.length() - 1), 10));
  }

  /// Whoever looks after all tenants comes to each that has held runs, and to no other.
  @Test
  void namesTheTenantsThatHaveSome() {
    RunKey run = SampleRuns.run(tenant + "-b");
    RunKey other = SampleRuns.run(tenant);
    held.add(run);
    held.add(SampleRuns.run(tenant + "-b"));
    held.add(other);

    int last = tenant.length() - 1;
    String before = tenant.substring(0, last) + (char) (tenant.charAt(last) - 1) + "~";
    assertEquals(Optional.of(tenant), held.nextTenant(before));
    assertEquals(Optional.of(tenant + "-b"), held.nextTenant(tenant));
    assertNotEquals(Optional.of(tenant + "-b"), held.nextTenant(tenant + "-b"));
    held.remove(other);
    assertEquals(Optional.of(tenant + "-b"), held.nextTenant(tenant));
    assertEquals(Optional.of(tenant + "-b"), held.nextTenant(before));
  }
}
