package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.KeyText;
import dev.runyard.core.access.Keys;
import dev.runyard.core.access.Scope;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [Keys] promises.
public abstract class KeysContract {
  private static final Instant NOW = SampleRuns.START;
  private final SecureRandom random = new SecureRandom();
  private final String tenant = SampleRuns.tenant();
  private Keys keys;

  /// The keys under test; there may be some of other tenants.
  protected abstract Keys keys();

  @BeforeEach
  void open() {
    keys = keys();
  }

  @Test
  void findsAKeyByItsHashAlone() {
    AccessKey key = key(tenant, NOW, Optional.of(NOW.plusSeconds(60)));
    keys.add(key);

    assertEquals(Optional.of(key), keys.find(key.hash()));
    assertEquals(Optional.empty(), keys.find(KeyText.drawn(random).hash()));
    assertEquals(Optional.empty(), keys.find(key.id()));
  }

  @Test
  void keepsWhatIsOptionalAndWhatIsNot() {
    AccessKey key =
        new AccessKey(
            KeyText.drawn(random).hash(),
            SampleRuns.chunkId(),
            tenant,
            Optional.empty(),
            EnumSet.allOf(Scope.class),
            "key:other",
            NOW,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    keys.add(key);

    assertEquals(Optional.of(key), keys.find(key.hash()));
    assertEquals(List.of(key), keys.list(tenant));
  }

  @Test
  void listsTheKeysOfATenantOldestFirst() {
    AccessKey second = key(tenant, NOW.plusSeconds(1), Optional.empty());
    AccessKey first = key(tenant, NOW, Optional.empty());
    keys.add(second);
    keys.add(first);
    keys.add(key(SampleRuns.tenant(), NOW, Optional.empty()));

    assertEquals(List.of(first, second), keys.list(tenant));
    assertEquals(List.of(), keys.list(SampleRuns.tenant()));
  }

  @Test
  void revokesOnceAndForAll() {
    AccessKey key = key(tenant, NOW, Optional.empty());
    keys.add(key);

    Instant at = NOW.plusSeconds(5);
    Optional<AccessKey> revoked = Optional.of(key.revokedAt(at));
    assertEquals(revoked, keys.revoke(tenant, key.id(), at));
    assertEquals(revoked, keys.revoke(tenant, key.id(), at.plusSeconds(60)));
    assertEquals(revoked, keys.find(key.hash()));
    assertEquals(List.of(revoked.get()), keys.list(tenant));
  }

  @Test
  void revokesNoKeyOfAnotherTenant() {
    AccessKey key = key(tenant, NOW, Optional.empty());
    keys.add(key);

    assertEquals(Optional.empty(), keys.revoke(SampleRuns.tenant(), key.id(), NOW));
    assertEquals(Optional.empty(), keys.revoke(tenant, "no such key", NOW));
    assertEquals(Optional.of(key), keys.find(key.hash()));
  }

  @Test
  void notesAUseUnlessOneWasNotedLately() {
    AccessKey key = key(tenant, NOW, Optional.empty());
    keys.add(key);

    keys.used(key, NOW.plusSeconds(10), NOW);
    keys.used(key, NOW.plusSeconds(20), NOW);
    assertEquals(List.of(key.usedAt(NOW.plusSeconds(10))), keys.list(tenant));

    keys.used(key, NOW.plusSeconds(90), NOW.plusSeconds(10));
    assertEquals(List.of(key.usedAt(NOW.plusSeconds(90))), keys.list(tenant));
  }

  @Test
  void makesNoKeyOfAUse() {
    AccessKey never = key(tenant, NOW, Optional.empty());

    keys.used(never, NOW, NOW);

    assertEquals(Optional.empty(), keys.find(never.hash()));
    assertEquals(List.of(), keys.list(tenant));
  }

  private AccessKey key(String owner, Instant created, Optional<Instant> expires) {
    AccessKey.Grant grant =
        new AccessKey.Grant(
            owner, Optional.of("a name"), Set.of(Scope.RUNS_READ, Scope.RUNS_WRITE), expires);
    return AccessKey.made(KeyText.drawn(random), SampleRuns.chunkId(), grant, "somebody", created);
  }
}
