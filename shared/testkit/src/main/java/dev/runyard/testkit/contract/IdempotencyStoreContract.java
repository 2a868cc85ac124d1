package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.submit.IdempotencyStore.Binding;
import dev.runyard.core.submit.IdempotencyStore.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [IdempotencyStore] promises. Time comes with each claim, so no clock is needed.
public abstract class IdempotencyStoreContract {
  private static final Instant NOW = SampleRuns.START;
  private static final Duration KNOWN = Duration.ofSeconds(IdempotencyStore.KEY_SECONDS);
  private static final String ONE = "11".repeat(32);
  private static final String OTHER = "22".repeat(32);
  private IdempotencyStore keys;

  /// The store under test; it may hold keys of other tenants.
  protected abstract IdempotencyStore idempotencyStore();

  @BeforeEach
  void open() {
    keys = idempotencyStore();
  }

  @Test
  void bindsAFreshKey() {
    assertEquals(new Binding.Fresh(), keys.bind(claim(SampleRuns.tenant(), "key", ONE, NOW)));
  }

  @Test
  void knowsTheRunOfTheSameRequest() {
    Claim first = claim(SampleRuns.tenant(), "key", ONE, NOW);
    keys.bind(first);

    assertEquals(
        new Binding.Known(first.runId()),
        keys.bind(claim(first.tenant(), "key", ONE, NOW.plusSeconds(5))));
  }

  @Test
  void refusesTheKeyToAnotherRequest() {
    Claim first = claim(SampleRuns.tenant(), "key", ONE, NOW);
    keys.bind(first);

    assertEquals(new Binding.Mismatch(), keys.bind(claim(first.tenant(), "key", OTHER, NOW)));
    assertEquals(
        new Binding.Known(first.runId()), keys.bind(claim(first.tenant(), "key", ONE, NOW)));
  }

  @Test
  void keepsKeysAndTenantsApart() {
    String tenant = SampleRuns.tenant();
    keys.bind(claim(tenant, "key", ONE, NOW));

    assertEquals(new Binding.Fresh(), keys.bind(claim(tenant, "Key", OTHER, NOW)));
    assertEquals(new Binding.Fresh(), keys.bind(claim(SampleRuns.tenant(), "key", OTHER, NOW)));
  }

  @Test
  void findsTheRunOfAKeyForAsLongAsItIsRemembered() {
    String tenant = SampleRuns.tenant();
    Claim first = new Claim(tenant, "\0turn 1", ONE, SampleRuns.run(tenant).runId(), NOW, 5);
    keys.bind(first);

    assertEquals(Optional.of(first.runId()), keys.find(tenant, first.key(), NOW.plusMillis(4999)));
    assertEquals(Optional.empty(), keys.find(tenant, first.key(), NOW.plusSeconds(5)));
    assertEquals(Optional.empty(), keys.find(tenant, "turn 1", NOW));
    assertEquals(Optional.empty(), keys.find(SampleRuns.tenant(), first.key(), NOW));
  }

  @Test
  void judgesExpiryByTimeAndNotByDeletion() {
    String tenant = SampleRuns.tenant();
    Claim first = claim(tenant, "key", ONE, NOW);
    keys.bind(first);
    Instant end = NOW.plus(KNOWN);

    assertEquals(
        new Binding.Known(first.runId()), keys.bind(claim(tenant, "key", ONE, end.minusMillis(1))));
    Claim second = claim(tenant, "key", OTHER, end);
    assertEquals(new Binding.Fresh(), keys.bind(second));
    assertEquals(
        new Binding.Known(second.runId()),
        keys.bind(claim(tenant, "key", OTHER, end.plusSeconds(1))));
    assertEquals(new Binding.Mismatch(), keys.bind(claim(tenant, "key", ONE, end.plusSeconds(1))));
  }

  @Test
  void doesNotExtendAKeyByUsingIt() {
    String tenant = SampleRuns.tenant();
    keys.bind(claim(tenant, "key", ONE, NOW));
    keys.bind(claim(tenant, "key", ONE, NOW.plus(KNOWN).minusSeconds(1)));

    assertEquals(new Binding.Fresh(), keys.bind(claim(tenant, "key", ONE, NOW.plus(KNOWN))));
  }

  @Test
  void takesTheLongestKeyAndAnyCharacter() {
    String tenant = SampleRuns.tenant();
    for (String key :
        List.of("k".repeat(IdempotencyStore.KEY_BYTES_MAX), "a#b/c", "größe 👋", " ", "a#run#b")) {
      Claim first = claim(tenant, key, ONE, NOW);
      assertEquals(new Binding.Fresh(), keys.bind(first), key);
      assertEquals(new Binding.Known(first.runId()), keys.bind(claim(tenant, key, ONE, NOW)), key);
    }
  }

  @Test
  void isFreshForExactlyOneOfManyAtOnce() throws Exception {
    String tenant = SampleRuns.tenant();
    List<Claim> claims =
        IntStream.range(0, Race.THREADS).mapToObj(_ -> claim(tenant, "key", ONE, NOW)).toList();

    List<Binding> bindings = Race.run(i -> keys.bind(claims.get(i)));

    int winner = bindings.indexOf(new Binding.Fresh());
    assertEquals(1, bindings.stream().filter(Binding.Fresh.class::isInstance).count());
    for (int i = 0; i < bindings.size(); i++) {
      if (i != winner) {
        assertEquals(
            claims.get(winner).runId(),
            assertInstanceOf(Binding.Known.class, bindings.get(i)).runId());
      }
    }
  }

  private static Claim claim(String tenant, String key, String fingerprint, Instant now) {
    return new Claim(tenant, key, fingerprint, SampleRuns.run(tenant).runId(), now);
  }
}
