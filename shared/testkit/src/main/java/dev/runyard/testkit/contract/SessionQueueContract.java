package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.session.SessionQueue.Turns;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [SessionQueue] promises.
public abstract class SessionQueueContract {
  private static final String SESSION = "session.1";
  private SessionQueue turns;
  private String tenant = "";

  /// The store under test; it may hold sessions of other tenants.
  protected abstract SessionQueue sessionQueue();

  @BeforeEach
  void open() {
    turns = sessionQueue();
    tenant = SampleRuns.tenant();
  }

  @Test
  void hasNothingBeforeTheFirstWrite() {
    assertEquals(Turns.NONE, turns.read(tenant, SESSION));
  }

  @Test
  void keepsTheOrderAndCountsVersions() {
    assertTrue(turns.write(tenant, SESSION, new Turns(0, List.of("b", "a", "c"))));
    assertEquals(new Turns(1, List.of("b", "a", "c")), turns.read(tenant, SESSION));
    assertTrue(turns.write(tenant, SESSION, new Turns(1, List.of())));
    assertEquals(new Turns(2, List.of()), turns.read(tenant, SESSION));
  }

  @Test
  void refusesAWriteFromAnOlderVersion() {
    turns.write(tenant, SESSION, new Turns(0, List.of("a")));

    assertFalse(turns.write(tenant, SESSION, new Turns(0, List.of("b"))));
    assertTrue(turns.write(tenant, SESSION, new Turns(1, List.of("a", "b"))));
    assertFalse(turns.write(tenant, SESSION, new Turns(1, List.of("a", "c"))));
    assertEquals(new Turns(2, List.of("a", "b")), turns.read(tenant, SESSION));
  }

  @Test
  void letsOneOfManyWritersWin() throws Exception {
    List<Boolean> won = Race.run(i -> turns.write(tenant, SESSION, turn("run-" + i)));

    assertEquals(1, won.stream().filter(Boolean::booleanValue).count());
    assertEquals(
        List.of("run-" + won.indexOf(true)), turns.read(tenant, SESSION).runs(), "whose it is");
  }

  @Test
  void keepsSessionsAndTenantsApart() {
    turns.write(tenant, SESSION, turn("a"));
    turns.write(tenant, SESSION + "1", turn("b"));

    assertEquals(List.of("a"), turns.read(tenant, SESSION).runs());
    assertEquals(List.of("b"), turns.read(tenant, SESSION + "1").runs());
    assertEquals(Turns.NONE, turns.read(SampleRuns.tenant(), SESSION));
  }

  private static Turns turn(String run) {
    return new Turns(0, List.of(run));
  }
}
