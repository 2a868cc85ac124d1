package dev.runyard.functions;

import dev.runyard.core.batch.BatchLog;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;

/// What went wrong with a batch, as lines of the function's log.
record BatchLines(JsonLog log) implements BatchLog {
  @Override
  public void failed(String event, StreamKey stream, RuntimeException cause) {
    log.failure(event, cause, line -> line.put(idMember(stream), stream.id()));
  }

  @Override
  public void setAside(StreamKey stream) {
    log.info(stream.kind().name() + "_set_aside", line -> line.put(idMember(stream), stream.id()));
  }

  @Override
  public void unknown(StreamKind kind) {
    log.error("unknown_kind_of_stream", line -> line.put("kind", kind.name()));
  }

  @Override
  public void noStream(IllegalArgumentException cause) {
    log.failure("not_a_stream", cause, _ -> {});
  }

  private static String idMember(StreamKey stream) {
    return stream.kind().name() + "_id";
  }
}
