package dev.runyard.testkit.counter;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.stream.StreamCodec;
import java.io.IOException;
import java.time.Instant;

/// The JSON form of a counter's events.
public final class CounterCodec extends StreamCodec<StoredCount> {
  public static final CounterCodec COUNTERS = new CounterCodec();
  static final String COUNTED = "counter.counted";
  static final String STOPPED = "counter.stopped";

  private CounterCodec() {}

  @Override
  protected void identify(StoredCount stored, JsonGenerator json) throws IOException {
    identifyStream(stored, json);
  }

  @Override
  protected void identifyStream(StoredCount member, JsonGenerator json) throws IOException {
    json.writeStringField("counterId", member.key().id());
  }

  @Override
  protected Object payload(StoredCount stored) {
    return stored.event();
  }

  @Override
  protected StoredCount read(StreamKey key, JsonNode envelope) throws IOException {
    String type = envelope.required("type").textValue();
    JsonNode payload = envelope.path("payload");
    CounterEvent event =
        switch (type) {
          case COUNTED -> JsonFormat.JSON.treeToValue(payload, CounterEvent.Counted.class);
          case STOPPED -> new CounterEvent.Stopped();
          default -> throw new IllegalArgumentException("no event of a counter: " + type);
        };
    return new StoredCount(
        (CounterKey) key,
        envelope.required("sequence").longValue(),
        Instant.parse(envelope.required("timestamp").textValue()),
        event);
  }
}
