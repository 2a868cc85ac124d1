package dev.runyard.core.access;

import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/// Verifies keys. What was looked up is remembered for a short time, so that most requests cost no
/// look-up and a revocation still counts soon; what was not found is not, so that a new key opens
/// at once.
public final class KeyCheck {
  /// How long a key that was looked up is used without another look.
  public static final int REMEMBERED_SECONDS = 30;

  /// Keys that a process remembers.
  public static final int REMEMBERED_MAX = 1_000;

  /// How often a process notes that a key is used.
  public static final int USE_NOTED_SECONDS = 300;

  private final Keys keys;
  private final InstantSource clock;
  private final Executor notes;
  private final Map<String, Remembered> remembered =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Remembered> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  /// @param notes runs what no request waits for
  public KeyCheck(Keys keys, InstantSource clock, Executor notes) {
    this.keys = keys;
    this.clock = clock;
    this.notes = notes;
  }

  /// @param noted when its use was last noted by this process
  private record Remembered(AccessKey key, Instant read, Instant noted) {}

  /// Whose key it is; empty for one that is unknown, expired or revoked.
  public Optional<Identity> identity(KeyText text) {
    Instant now = clock.instant();
    return known(text.hash(), now)
        .filter(key -> key.valid(now))
        .map(
            key -> {
              noteUse(key, now);
              return key.identity();
            });
  }

  /// Whether the key whose text has this hash still opens anything.
  public boolean stands(String hash) {
    Instant now = clock.instant();
    return known(hash, now).filter(key -> key.valid(now)).isPresent();
  }

  private Optional<AccessKey> known(String hash, Instant now) {
    Optional<Remembered> before = before(hash);
    if (before.isPresent() && isFresh(before.get(), now)) {
      return Optional.of(before.get().key());
    }
    Optional<AccessKey> found = keys.find(hash);
    synchronized (remembered) {
      remembered.remove(hash);
      found.ifPresent(
          key ->
              remembered.put(
                  hash,
                  new Remembered(key, now, before.map(Remembered::noted).orElse(Instant.EPOCH))));
    }
    return found;
  }

  private Optional<Remembered> before(String hash) {
    synchronized (remembered) {
      return Optional.ofNullable(remembered.get(hash));
    }
  }

  /// A clock that was set back must not make a key be remembered for longer.
  private static boolean isFresh(Remembered key, Instant now) {
    return !now.isBefore(key.read())
        && Duration.between(key.read(), now).toSeconds() < REMEMBERED_SECONDS;
  }

  private void noteUse(AccessKey key, Instant now) {
    Instant before = now.minusSeconds(USE_NOTED_SECONDS);
    synchronized (remembered) {
      Remembered last = remembered.get(key.hash());
      if (last == null || last.noted().isAfter(before)) {
        return;
      }
      remembered.put(key.hash(), new Remembered(last.key(), last.read(), now));
    }
    notes.execute(() -> note(key, now, before));
  }

  /// A use that could not be noted is noted with the next one, some minutes later.
  private void note(AccessKey key, Instant now, Instant before) {
    try {
      keys.used(key, now, before);
    } catch (PortUnavailable _) {
      return;
    }
  }
}
