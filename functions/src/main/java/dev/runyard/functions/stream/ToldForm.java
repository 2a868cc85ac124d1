package dev.runyard.functions.stream;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamEvent;
import dev.runyard.core.stream.ToldFact;
import java.time.Instant;
import java.util.function.Predicate;

/// How readers of one log are told what no log has.
///
/// @param strict whether under the version of the strict profile
/// @param all whether readers are told more than what is missing or does not follow
/// @param changes which events change how what the log is about reads
/// @param snapshot the path of that
/// @param <E> events of the log
record ToldForm<E extends StreamEvent>(
    StreamCodec<E> codec, boolean strict, boolean all, Predicate<E> changes, String snapshot) {

  static ToldForm<StoredEvent> ofRun(String runId, boolean strict, boolean all) {
    return new ToldForm<>(
        EventCodec.RUNS, strict, all, StoredEvent::changesState, "/v1/runs/" + runId);
  }

  /// An event in its envelope.
  String json(E event) {
    return strict ? codec.strictJson(event) : codec.json(event);
  }

  /// The fact in an envelope.
  ///
  /// @param member an event of the log
  /// @param sequence after which it is told
  String json(E member, ToldFact fact, long sequence, Instant at) {
    return codec.told(member, fact, sequence, at, strict);
  }
}
