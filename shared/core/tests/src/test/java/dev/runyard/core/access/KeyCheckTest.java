package dev.runyard.core.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.memory.MemoryKeys;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class KeyCheckTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private final SettableClock clock = new SettableClock(NOW);
  private final Random random = new Random(5);
  private final Counted keys = new Counted();
  private final KeyCheck check = new KeyCheck(keys, clock, Runnable::run);

  @Test
  void knowsWhoseKeyItIs() {
    KeyText text = made(Optional.empty());

    Identity holder = check.identity(text).orElseThrow();

    assertEquals("shop", holder.tenant());
    assertEquals("key:k-1", holder.actor());
    assertEquals(Set.of(Scope.RUNS_READ), holder.scopes());
  }

  @Test
  void knowsNoKeyThatWasNeverMade() {
    assertEquals(Optional.empty(), check.identity(KeyText.drawn(random)));
  }

  @Test
  void looksOnceInAWhile() {
    KeyText text = made(Optional.empty());

    for (int i = 0; i < 50; i++) {
      check.identity(text);
    }
    assertEquals(1, keys.finds);

    clock.advance(Duration.ofSeconds(KeyCheck.REMEMBERED_SECONDS));
    check.identity(text);
    assertEquals(2, keys.finds);
  }

  @Test
  void opensNothingSixtySecondsAfterItWasRevoked() {
    KeyText text = made(Optional.empty());
    check.identity(text);

    keys.revoke("shop", "k-1", clock.instant());
    clock.advance(Duration.ofSeconds(60));

    assertEquals(Optional.empty(), check.identity(text));
  }

  @Test
  void opensAtOnceThoughItWasAskedForBefore() {
    KeyText text = KeyText.drawn(random);
    assertEquals(Optional.empty(), check.identity(text));

    keys.add(key(text, Optional.empty()));

    assertEquals("shop", check.identity(text).orElseThrow().tenant());
  }

  @Test
  void expiresAlsoWhileItIsRemembered() {
    KeyText text = made(Optional.of(NOW.plusSeconds(10)));
    check.identity(text);

    clock.advance(Duration.ofSeconds(10));

    assertEquals(Optional.empty(), check.identity(text));
  }

  @Test
  void saysByItsHashWhetherAKeyStillOpensAnything() {
    KeyText revoked = made(Optional.empty());
    keys.revoke("shop", "k-1", NOW);
    KeyText text = made(Optional.of(NOW.plusSeconds(10)));

    assertTrue(check.stands(text.hash()));
    assertFalse(check.stands(revoked.hash()));
    assertFalse(check.stands(KeyText.drawn(random).hash()));
    clock.advance(Duration.ofSeconds(10));
    assertFalse(check.stands(text.hash()));
    assertEquals(List.of(), keys.uses, "nobody has used it");
  }

  @Test
  void rememberNoMoreThanSoMany() {
    KeyText first = made(Optional.empty());
    check.identity(first);
    for (int i = 0; i < KeyCheck.REMEMBERED_MAX; i++) {
      KeyText other = KeyText.drawn(random);
      keys.add(key(other, Optional.empty()));
      check.identity(other);
    }
    int before = keys.finds;

    check.identity(first);

    assertEquals(before + 1, keys.finds);
  }

  @Test
  void notesAUseOnceInSomeMinutes() {
    KeyText text = made(Optional.empty());
    for (int i = 0; i < 20; i++) {
      check.identity(text);
      clock.advance(Duration.ofSeconds(KeyCheck.USE_NOTED_SECONDS / 10));
    }

    assertEquals(List.of(NOW, NOW.plusSeconds(KeyCheck.USE_NOTED_SECONDS)), keys.uses);
  }

  @Test
  void answersThoughAUseCannotBeNoted() {
    KeyText text = made(Optional.empty());
    keys.down = true;

    assertEquals("shop", check.identity(text).orElseThrow().tenant());
  }

  @Test
  void doesNotTakeAStoreThatIsAwayForAWrongKey() {
    KeyText text = made(Optional.empty());
    keys.away = true;

    assertThrows(PortUnavailable.class, () -> check.identity(text));
  }

  @Test
  void opensFromMemoryWhileTheStoreIsAway() {
    KeyText text = made(Optional.empty());
    check.identity(text);
    keys.away = true;

    assertEquals("shop", check.identity(text).orElseThrow().tenant());
  }

  private KeyText made(Optional<Instant> expires) {
    KeyText text = KeyText.drawn(random);
    keys.add(key(text, expires));
    return text;
  }

  private static AccessKey key(KeyText text, Optional<Instant> expires) {
    AccessKey.Grant grant =
        new AccessKey.Grant("shop", Optional.empty(), Set.of(Scope.RUNS_READ), expires);
    return AccessKey.made(text, "k-1", grant, "somebody", NOW);
  }

  /// Keys that count what they are asked, and can be away.
  private static final class Counted implements Keys {
    private final MemoryKeys keys = new MemoryKeys();
    private final List<Instant> uses = new ArrayList<>();
    private int finds;
    private boolean away;
    private boolean down;

    @Override
    public void add(AccessKey key) {
      keys.add(key);
    }

    @Override
    public Optional<AccessKey> find(String hash) {
      if (away) {
        throw new PortUnavailable("away", new IllegalStateException());
      }
      finds++;
      return keys.find(hash);
    }

    @Override
    public List<AccessKey> list(String tenant) {
      return keys.list(tenant);
    }

    @Override
    public Optional<AccessKey> revoke(String tenant, String id, Instant at) {
      return keys.revoke(tenant, id, at);
    }

    @Override
    public void used(AccessKey key, Instant at, Instant before) {
      if (down) {
        throw new PortUnavailable("away", new IllegalStateException());
      }
      uses.add(at);
    }
  }
}
