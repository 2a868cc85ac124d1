package dev.runyard.embedded;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendNotices;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Those who are told of each append to a stream. Thread-safe.
final class StreamListeners implements AppendNotices {
  private final ConcurrentMap<String, List<LongConsumer>> listening = new ConcurrentHashMap<>();

  @Override
  public Listening listen(StreamKey stream, LongConsumer appended) {
    String partition = stream.partition();
    listening.merge(
        partition,
        List.of(appended),
        (there, more) -> Stream.concat(there.stream(), more.stream()).toList());
    return () -> listening.computeIfPresent(partition, (_, there) -> without(there, appended));
  }

  private static @Nullable List<LongConsumer> without(
      List<LongConsumer> there, LongConsumer appended) {
    List<LongConsumer> left = there.stream().filter(one -> one != appended).toList();
    return left.isEmpty() ? null : left;
  }

  /// Rung after an append whose last event has the sequence `last`.
  Bell of(String partition, long last) {
    return () ->
        listening.getOrDefault(partition, List.of()).forEach(appended -> appended.accept(last));
  }

  /// Streams that somebody listens to.
  int count() {
    return listening.size();
  }
}
