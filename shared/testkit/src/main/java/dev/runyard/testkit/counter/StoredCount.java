package dev.runyard.testkit.counter;

import dev.runyard.core.stream.StreamEvent;
import java.time.Instant;

/// An event of a counter with its place in the log.
public record StoredCount(CounterKey key, long sequence, Instant timestamp, CounterEvent event)
    implements StreamEvent {
  @Override
  public String type() {
    return switch (event) {
      case CounterEvent.Counted _ -> CounterCodec.COUNTED;
      case CounterEvent.Stopped _ -> CounterCodec.STOPPED;
    };
  }

  @Override
  public boolean changesState() {
    return event instanceof CounterEvent.Stopped;
  }
}
