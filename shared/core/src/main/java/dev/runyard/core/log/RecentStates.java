package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import java.util.Optional;

/// Snapshots that remember the states this process folded last, so that the next look at a stream
/// reads its tail and no snapshot. Any earlier state is a right one to start at: the tail is read
/// from the log each time.
///
/// @param <S> states of the kind of stream
public final class RecentStates<S> implements Snapshots<S> {
  private final Snapshots<S> kept;
  private final Recent<StreamKey, S> recent = new Recent<>();

  /// @param kept asked for streams that are not remembered
  public RecentStates(Snapshots<S> kept) {
    this.kept = kept;
  }

  @Override
  public Optional<S> latest(StreamKey key) {
    return recent.get(key).or(() -> kept.latest(key));
  }

  @Override
  public boolean keep(S state) {
    return kept.keep(state);
  }

  @Override
  public void folded(StreamKey key, S state) {
    recent.put(key, state);
  }
}
