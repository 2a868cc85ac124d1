package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Snapshots that remember the states this process folded last, so that the next look at a stream
/// reads its tail and no snapshot. Any earlier state is a right one to start at: the tail is read
/// from the log each time.
///
/// @param <S> states of the kind of stream
public final class RecentStates<S> implements Snapshots<S> {
  /// States remembered; one may hold two texts of 64 KiB.
  public static final int STATES_MAX = 64;

  private final Snapshots<S> kept;
  private final Map<StreamKey, S> recent =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<StreamKey, S> eldest) {
          return size() > STATES_MAX;
        }
      };

  /// @param kept asked for streams that are not remembered
  public RecentStates(Snapshots<S> kept) {
    this.kept = kept;
  }

  @Override
  public Optional<S> latest(StreamKey key) {
    synchronized (recent) {
      S state = recent.get(key);
      if (state != null) {
        return Optional.of(state);
      }
    }
    return kept.latest(key);
  }

  @Override
  public boolean keep(S state) {
    return kept.keep(state);
  }

  @Override
  public void folded(StreamKey key, S state) {
    synchronized (recent) {
      recent.put(key, state);
    }
  }
}
