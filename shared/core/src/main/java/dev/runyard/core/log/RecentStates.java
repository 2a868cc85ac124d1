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
/// Other processes start at the kept one, so it is remembered how far that was. Once it seems far
/// behind it is looked at again: usually the projection has saved another by then. Where that look,
/// or what is saved after it, gets no answer, the next try comes once the stream is as far again,
/// so that not every load waits for a store that hangs.
///
/// @param <S> states of the kind of stream
public final class RecentStates<S extends StreamState> implements Snapshots<S> {
  /// How long a state is used without a look at the kept one.
  public static final int FRESH_SECONDS_MAX = 5;

  /// Streams of which it is remembered how far their kept state was.
  private static final int REACHES_MAX = 1_000;

  private final Snapshots<S> kept;
  private final InstantSource clock;
  private final Recent<StreamKey, Seen<S>> recent = new Recent<>();
  private final Recent<StreamKey, Long> reaches = new Recent<>(REACHES_MAX);

  /// @param kept asked for streams that are not remembered, or not fresh
  public RecentStates(Snapshots<S> kept, InstantSource clock) {
    this.kept = kept;
    this.clock = clock;
  }

  @Override
  public Optional<S> latest(StreamKey key) {
    Seen<S> seen = recent.get(key).orElse(null);
    if (seen == null) {
      return looked(key);
    }
    if (seen.settled(clock.instant())) {
      return Optional.of(seen.state());
    }
    return looked(key).filter(seen::precedes).or(() -> Optional.of(seen.state()));
  }

  @Override
  public boolean keep(S state) {
    return kept.keep(state);
  }

  @Override
  public long behind(StreamKey key, S from, S head) {
    long known = head.sequence() - reaches.get(key).orElse(0L);
    if (known <= StreamLog.BEHIND_EVENTS_MAX) {
      return known;
    }
    reaches.put(key, head.sequence());
    long behind = head.sequence() - kept.latest(key).map(S::sequence).orElse(0L);
    if (behind <= StreamLog.BEHIND_EVENTS_MAX) {
      reaches.put(key, head.sequence() - behind);
    }
    return behind;
  }

  private Optional<S> looked(StreamKey key) {
    Optional<S> there = kept.latest(key);
    long reach = there.map(S::sequence).orElse(0L);
    reaches.put(key, Math.max(reach, reaches.get(key).orElse(0L)));
    return there;
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
