package dev.runyard.testkit.contract;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import java.util.List;
import java.util.Optional;

/// Streams of runs.
final class RunStreams implements SampleStreams {
  @Override
  public RunKey key(String tenant, String id) {
    return new RunKey(tenant, id);
  }

  @Override
  public Chunk chunk(StreamKey key, long first, String... texts) {
    return SampleRuns.chunk(RunKey.of(key), first, texts);
  }

  @Override
  public List<String> texts(Chunk chunk) {
    return chunk.events(EventCodec.RUNS).stream()
        .map(stored -> ((RunEvent.ModelDelta) stored.event()).text())
        .toList();
  }

  @Override
  public Chunk last(StreamKey key, long first) {
    StoredEvent completed =
        new StoredEvent(
            RunKey.of(key),
            "session-1",
            null,
            first,
            SampleRuns.START,
            new RunEvent.TaskCompleted());
    return new Chunk(
        key,
        SampleRuns.chunkId(),
        "runner/ü 7",
        ChunkBody.of(EventCodec.RUNS, List.of(completed)),
        Optional.of("completed"),
        true);
  }
}
