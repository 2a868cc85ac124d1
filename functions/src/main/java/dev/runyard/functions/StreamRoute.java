package dev.runyard.functions;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;
import java.util.function.Consumer;
import java.util.function.Function;

/// What a stream function does with the streams of one kind.
///
/// @param key the stream with a partition key; throws IllegalArgumentException for any other text
/// @param action handles a stream that changed; it may be called twice, late or out of order
/// @param setAside takes a stream that could not be handled, to be handled later
public record StreamRoute<K extends StreamKey>(
    StreamKind kind, Function<String, K> key, Consumer<K> action, Consumer<K> setAside) {

  /// The stream with this partition key, with its action.
  Changed changed(String partition) {
    K stream = key.apply(partition);
    return new Changed(stream, () -> action.accept(stream), () -> setAside.accept(stream));
  }

  record Changed(StreamKey key, Runnable action, Runnable setAside) {}
}
