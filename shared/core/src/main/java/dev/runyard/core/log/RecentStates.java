package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.StreamState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/// Snapshots that remember the states this process folded last, so that the next look at a stream
/// reads its tail and no snapshot. Any earlier state is a right one to start at: the tail is read
/// from the log each time. A state that is older than [#FRESH_SECONDS_MAX] is compared with the
/// kept one, since a snapshot costs half a read unit and the tail may be the whole log.
///
/// @param <S> states of the kind of stream
public final class RecentStates<S extends StreamState> implements Snapshots<S> {
  /// How long a state is used without a look at the kept one.
  public static final int FRESH_SECONDS_MAX = 5;

  private final Snapshots<S> kept;
  private final InstantSource clock;
  private final Recent<StreamKey, Seen<S>> recent = new Recent<>();

  /// @param kept asked for streams that are not remembered, or not fresh
  public RecentStates(Snapshots<S> kept, InstantSource clock) {
    this.kept = kept;
    this.clock = clock;
  }

  @Override
  public Optional<S> latest(StreamKey key) {
    Seen<S> seen = recent.get(key).orElse(null);
    if (seen == null) {
      return kept.latest(key);
    }
    if (seen.settled(clock.instant())) {
      return Optional.of(seen.state());
    }
    return kept.latest(key).filter(seen::precedes).or(() -> Optional.of(seen.state()));
  }

  @Override
  public boolean keep(S state) {
    return kept.keep(state);
  }

  @Override
  public void folded(StreamKey key, S state) {
    recent.put(key, new Seen<>(state, clock.instant()));
  }

  private record Seen<S extends StreamState>(S state, Instant at) {
    /// True while the kept state cannot save anything.
    boolean settled(Instant now) {
      return state.closed() || now.isBefore(at.plusSeconds(FRESH_SECONDS_MAX));
    }

    boolean precedes(S other) {
      return state.sequence() < other.sequence();
    }
  }
}
