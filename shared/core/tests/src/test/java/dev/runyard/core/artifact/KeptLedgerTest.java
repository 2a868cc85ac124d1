package dev.runyard.core.artifact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.quota.Quotas;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class KeptLedgerTest {
  private static final String KEY = "acme/workspaces/kept.json";

  private final MemoryArtifactStore store = new MemoryArtifactStore();
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private final KeptLedger ledger = new KeptLedger(store, Quotas.NONE, () -> now);

  @Test
  void hasRoomUntilTheBoundIsReached() {
    ledger.add("acme", KeptLedger.TENANT_KEPT_BYTES_MAX - 1);
    assertTrue(ledger.hasRoom("acme"));

    ledger.add("acme", 1);

    assertFalse(ledger.hasRoom("acme"));
    assertTrue(ledger.hasRoom("other"));
  }

  @Test
  void hasRoomAgainOnceWhatWasStoredIsGone() {
    ledger.add("acme", KeptLedger.TENANT_KEPT_BYTES_MAX);
    now = now.plus(Duration.ofDays(KeptLedger.TENANT_KEPT_DAYS));
    assertFalse(ledger.hasRoom("acme"));

    now = now.plus(Duration.ofDays(1));

    assertTrue(ledger.hasRoom("acme"));
    ledger.add("acme", 1);
    assertEquals("{\"2026-04-01\":1}", text());
  }

  @Test
  void takesBackWhatWasCountedAndNoMore() {
    ledger.add("acme", 5);
    now = now.plus(Duration.ofDays(1));
    ledger.add("acme", 3);

    ledger.giveBack("acme", 4);

    assertEquals("{\"2026-03-01\":4}", text());
    assertEquals(4, ledger.bytes("acme"));
    ledger.giveBack("acme", 9);
    assertEquals(0, ledger.bytes("acme"));
  }

  /// A ledger asks for the day between what it reads and what it writes: then others write.
  @Test
  void takesBackNothingThatCouldNotBeCounted() {
    KeptLedger others = new KeptLedger(store, Quotas.NONE, () -> now);
    AtomicInteger written = new AtomicInteger();
    AtomicBoolean contested = new AtomicBoolean(true);
    KeptLedger late =
        new KeptLedger(
            store,
            Quotas.NONE,
            () -> {
              if (contested.get()) {
                others.add("acme", 1);
                written.incrementAndGet();
              }
              return now;
            });
    late.add("acme", 3);
    contested.set(false);
    assertEquals(written.get(), ledger.bytes("acme"));

    late.giveBack("acme", 3);
    ledger.giveBack("acme", 5);
    assertEquals(written.get(), ledger.bytes("acme"));
  }

  @Test
  void writesNothingForNothing() {
    ledger.add("acme", 0);
    ledger.giveBack("acme", 0);

    assertTrue(store.keys().isEmpty());
  }

  @Test
  void doesNotTakeAnUnreadableCountForNone() {
    store.put(KEY, "{".getBytes(StandardCharsets.UTF_8));

    assertThrows(PortUnavailable.class, () -> ledger.hasRoom("acme"));
  }

  private String text() {
    return new String(store.get(KEY).orElseThrow(), StandardCharsets.UTF_8);
  }
}
