package dev.runyard.testkit.contract;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.testkit.counter.CounterCodec;
import dev.runyard.testkit.counter.CounterEvent;
import dev.runyard.testkit.counter.CounterKey;
import dev.runyard.testkit.counter.StoredCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Streams of counters.
final class CounterStreams implements SampleStreams {
  @Override
  public CounterKey key(String tenant, String id) {
    return new CounterKey(tenant, id);
  }

  @Override
  public Chunk chunk(StreamKey key, long first, String... texts) {
    List<StoredCount> events = new ArrayList<>();
    for (String text : texts) {
      events.add(stored(key, first + events.size(), new CounterEvent.Counted(text)));
    }
    return chunk(key, events, Optional.empty(), false);
  }

  @Override
  public List<String> texts(Chunk chunk) {
    return chunk.events(CounterCodec.COUNTERS).stream()
        .map(stored -> ((CounterEvent.Counted) stored.event()).note())
        .toList();
  }

  @Override
  public Chunk last(StreamKey key, long first) {
    return chunk(
        key, List.of(stored(key, first, new CounterEvent.Stopped())), Optional.of("stopped"), true);
  }

  private static StoredCount stored(StreamKey key, long sequence, CounterEvent event) {
    return new StoredCount((CounterKey) key, sequence, SampleRuns.START, event);
  }

  private static Chunk chunk(
      StreamKey key, List<StoredCount> events, Optional<String> state, boolean closed) {
    ChunkBody body = ChunkBody.of(CounterCodec.COUNTERS, events);
    return new Chunk(key, SampleRuns.chunkId(), "writer-1", body, state, closed);
  }
}
