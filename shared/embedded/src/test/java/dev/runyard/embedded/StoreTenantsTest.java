package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.ids.RunKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class StoreTenantsTest {
  private final StoreRig rig;

  StoreTenantsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void namesEachTenantThatHasRunsOnce() {
    assertEquals(List.of(), rig.store().tenants());

    for (String tenant : List.of("shop", "a", "a-b", "a_b", "a0", "zoo", "a")) {
      for (int number = 1; number < 4; number++) {
        RunKey run = new RunKey(tenant, SampleRun.key(number).runId());
        rig.store().events().append(SampleRun.output(run, 1, "hi"));
      }
    }

    assertEquals(
        List.of("a", "a-b", "a0", "a_b", "shop", "zoo"),
        rig.store().tenants().stream().sorted().toList());
  }
}
