package dev.runyard.core.artifact;

import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// A store that is waited for: a call that gets no answer is repeated until it gets one, for as
/// long as somebody needs what it asks for. So whoever is prepared while the store is away begins
/// later instead of failing, and what the store does answer, such as that an object is not there,
/// is passed on at once.
///
/// Each call is repeated alone. What was read or written before it stays as it is.
public final class AwaitedStore implements ArtifactStore {
  /// Longest pause between two tries.
  public static final Duration PAUSE_MAX = Duration.ofSeconds(10);

  private static final Duration PAUSE_MIN = Duration.ofMillis(250);
  private static final int DOUBLINGS_MAX = 6;

  private final ArtifactStore store;
  private final Patience patience;

  public AwaitedStore(ArtifactStore store, Patience patience) {
    this.store = store;
    this.patience = patience;
  }

  /// Decides whether, and when, a call is repeated.
  @FunctionalInterface
  public interface Patience {
    /// Returns once the call is to be repeated; false if nobody needs it any more, so that it
    /// fails.
    ///
    /// @param pause before the next try
    /// @param why the last one had no answer
    boolean lasts(Duration pause, PortUnavailable why);

    /// Repeats any call until it is answered.
    ///
    /// @throws PortUnavailable once nobody needs it any more
    default <T> T answer(Supplier<T> call) {
      for (int tries = 1; ; tries++) {
        try {
          return call.get();
        } catch (PortUnavailable e) {
          if (!lasts(pause(tries), e)) {
            throw e;
          }
        }
      }
    }
  }

  /// Twice as long each time, up to [#PAUSE_MAX].
  private static Duration pause(int tries) {
    Duration pause = PAUSE_MIN.multipliedBy(1L << Math.min(tries - 1, DOUBLINGS_MAX));
    return pause.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause;
  }

  @Override
  public void put(String key, byte[] content) {
    patience.answer(
        () -> {
          store.put(key, content);
          return true;
        });
  }

  @Override
  public Optional<byte[]> get(String key) {
    return patience.answer(() -> store.get(key));
  }

  @Override
  public Optional<Versioned> find(String key) {
    return patience.answer(() -> store.find(key));
  }

  @Override
  public boolean replace(String key, Optional<String> version, byte[] content) {
    return patience.answer(() -> store.replace(key, version, content));
  }

  @Override
  public void delete(String key) {
    patience.answer(
        () -> {
          store.delete(key);
          return true;
        });
  }
}
