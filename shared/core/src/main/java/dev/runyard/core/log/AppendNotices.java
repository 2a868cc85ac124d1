package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import java.util.function.LongConsumer;

/// How somebody who works on a stream learns at once that others have appended to it. A store that
/// notices its own appends tells of them; any other tells of none. So whoever works on a stream
/// also reads it now and then.
@FunctionalInterface
public interface AppendNotices {
  /// A store that tells of nothing.
  AppendNotices NONE = (_, _) -> () -> {};

  /// Calls `appended` with the last sequence of each append to the stream, whoever made it, until
  /// the result is closed. The thread that writes makes the call, which must not wait.
  Listening listen(StreamKey stream, LongConsumer appended);

  /// Ends with [#close].
  interface Listening extends AutoCloseable {
    @Override
    void close();
  }
}
