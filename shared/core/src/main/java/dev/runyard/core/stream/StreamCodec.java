package dev.runyard.core.stream;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.json.JsonFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// The JSON form of the events of one kind of stream: one envelope per line, camelCase as in the
/// Agent Runtime standard. The common members of all envelopes are here; a kind adds its identities
/// and payloads.
///
/// @param <E> the kind's events
public abstract class StreamCodec<E extends StreamEvent> {
  public static final String SCHEMA_VERSION = "1";
  public static final String RUNTIME_ID = "runyard";

  /// Writes the members between the common ones and the payload: the identities of this kind.
  protected abstract void identify(E event, JsonGenerator json) throws IOException;

  protected abstract Object payload(E event);

  /// The event of an envelope, also of an unknown type.
  protected abstract E read(StreamKey key, JsonNode envelope) throws IOException;

  public final byte[] encode(List<E> events) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512 * events.size());
    try {
      for (E event : events) {
        write(event, out);
        out.write('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  public final List<E> decode(StreamKey key, byte[] lines) {
    List<E> events = new ArrayList<>();
    try (var values = JsonFormat.JSON.readerFor(JsonNode.class).<JsonNode>readValues(lines)) {
      while (values.hasNextValue()) {
        events.add(read(key, values.nextValue()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(events);
  }

  /// One envelope without the line end.
  public final void write(E event, OutputStream out) throws IOException {
    try (JsonGenerator json = JsonFormat.JSON.createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      json.writeStringField("type", event.type());
      json.writeStringField("eventId", id(event));
      json.writeNumberField("sequence", event.sequence());
      json.writeStringField("timestamp", JsonFormat.time(event.timestamp()));
      json.writeStringField("schemaVersion", SCHEMA_VERSION);
      json.writeStringField("runtimeId", RUNTIME_ID);
      identify(event, json);
      json.writeFieldName("payload");
      JsonFormat.JSON.writeValue(json, payload(event));
      json.writeEndObject();
    }
  }

  /// The event's own id: its stream's and the sequence.
  public static String id(StreamEvent event) {
    return event.key().id() + "." + event.sequence();
  }
}
