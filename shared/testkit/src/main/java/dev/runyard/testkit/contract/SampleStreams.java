package dev.runyard.testkit.contract;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.Chunk;
import java.util.List;

/// Streams of one kind to test a log with. Keys and chunk ids are new with every call.
public interface SampleStreams {
  /// The key with these parts.
  StreamKey key(String tenant, String id);

  /// A chunk of one event for each text, which [#texts] reads from it.
  Chunk chunk(StreamKey key, long first, String... texts);

  List<String> texts(Chunk chunk);

  /// A chunk that closes the stream.
  Chunk last(StreamKey key, long first);

  default StreamKey key(String tenant) {
    return key(tenant, SampleRuns.run(tenant).runId());
  }

  default StreamKey key() {
    return key(SampleRuns.tenant());
  }
}
