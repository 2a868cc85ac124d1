package dev.runyard.testkit.counter;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Counters as a kind of stream. A command leads to one event or none.
public record CounterStream()
    implements StreamType<Counter, CounterCommand, Optional<CounterEvent>, StoredCount> {
  /// A counter counts no further.
  public static final int COUNT_MAX = 5;

  @Override
  public StreamCodec<StoredCount> codec() {
    return CounterCodec.COUNTERS;
  }

  @Override
  public Counter absent() {
    return Counter.NEW;
  }

  @Override
  public Counter evolve(Counter state, StoredCount event) {
    return state.then(event);
  }

  @Override
  public Optional<CounterEvent> decide(Counter state, CounterCommand command) {
    if (state.closed()) {
      return Optional.empty();
    }
    return switch (command) {
      case CounterCommand.Count count ->
          state.count() < COUNT_MAX
              ? Optional.of(new CounterEvent.Counted(count.note()))
              : Optional.empty();
      case CounterCommand.Stop _ -> Optional.of(new CounterEvent.Stopped());
    };
  }

  @Override
  public List<StoredCount> events(
      StreamKey key,
      Counter state,
      CounterCommand command,
      Optional<CounterEvent> decision,
      Instant now) {
    return decision
        .map(event -> new StoredCount((CounterKey) key, state.sequence() + 1, now, event))
        .stream()
        .toList();
  }
}
