package dev.runyard.core.stream;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.json.JsonFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The JSON form of the events of one kind of stream: one envelope per line, camelCase as in the
/// Agent Runtime standard. The common members of all envelopes are here; a kind adds its identities
/// and payloads.
///
/// @param <E> the kind's events
public abstract class StreamCodec<E extends StreamEvent> {
  public static final String SCHEMA_VERSION = "1";

  /// The version that events have for readers who hold them to the strict profile of the standard.
  public static final String STRICT_SCHEMA_VERSION = "lime-profile-0.4.0";

  public static final String RUNTIME_ID = "runyard";

  /// What is expected of a line; longer ones cost a copy.
  private static final int LINE_BYTES = 640;

  private static final SerializableString LINE_END = new SerializedString("\n");
  private static final SerializableString TYPE = new SerializedString("type");
  private static final SerializableString EVENT_ID = new SerializedString("eventId");
  private static final SerializableString SEQUENCE = new SerializedString("sequence");
  private static final SerializableString TIMESTAMP = new SerializedString("timestamp");
  private static final SerializableString PAYLOAD = new SerializedString("payload");

  /// The members that all envelopes have in common.
  private static final SerializableString ALIKE = alike(SCHEMA_VERSION);

  private static final SerializableString ALIKE_STRICT = alike(STRICT_SCHEMA_VERSION);

  private static final ObjectWriter PAYLOADS =
      JsonFormat.JSON.writer().without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE);

  /// Writes the members between the common ones and the payload: the identities of this kind.
  protected abstract void identify(E event, JsonGenerator json) throws IOException;

  protected abstract Object payload(E event);

  /// Writes the identities that all events of the stream have, which a member of it knows.
  protected abstract void identifyStream(E member, JsonGenerator json) throws IOException;

  /// The event of an envelope, also of an unknown type.
  protected abstract E read(StreamKey key, JsonNode envelope) throws IOException;

  public final byte[] encode(List<E> events) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(LINE_BYTES * events.size());
    try (JsonGenerator json = JsonFormat.JSON.createGenerator(out)) {
      json.setRootValueSeparator(LINE_END);
      for (E event : events) {
        write(event, json, ALIKE);
      }
      json.writeRaw('\n');
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
  public final String json(E event) {
    return json(event, ALIKE);
  }

  /// The same envelope under [#STRICT_SCHEMA_VERSION].
  public final String strictJson(E event) {
    return json(event, ALIKE_STRICT);
  }

  /// The envelope of what a reader is told at a place of the stream: it has the sequence of the
  /// event before it, if any, and an id of its own.
  ///
  /// @param member of the stream
  /// @param strict whether it is under [#STRICT_SCHEMA_VERSION]
  public final String told(E member, ToldFact fact, long sequence, Instant at, boolean strict) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(LINE_BYTES);
    try (JsonGenerator json = JsonFormat.JSON.createGenerator(out)) {
      json.writeStartObject();
      String id =
          "%s.%d.%s.%d".formatted(member.key().id(), sequence, fact.type(), at.toEpochMilli());
      begin(json, fact.type(), id, sequence, at);
      json.writeRaw(strict ? ALIKE_STRICT : ALIKE);
      identifyStream(member, json);
      end(json, fact);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private String json(E event, SerializableString alike) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(LINE_BYTES);
    try (JsonGenerator json = JsonFormat.JSON.createGenerator(out)) {
      write(event, json, alike);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static SerializableString alike(String schemaVersion) {
    return new SerializedString(
        ",\"schemaVersion\":\"%s\",\"runtimeId\":\"%s\"".formatted(schemaVersion, RUNTIME_ID));
  }

  private void write(E event, JsonGenerator json, SerializableString alike) throws IOException {
    json.writeStartObject();
    begin(json, event.type(), id(event), event.sequence(), event.timestamp());
    json.writeRaw(alike);
    identify(event, json);
    end(json, payload(event));
  }

  private static void begin(JsonGenerator json, String type, String id, long sequence, Instant at)
      throws IOException {
    json.writeFieldName(TYPE);
    json.writeString(type);
    json.writeFieldName(EVENT_ID);
    json.writeString(id);
    json.writeFieldName(SEQUENCE);
    json.writeNumber(sequence);
    json.writeFieldName(TIMESTAMP);
    json.writeString(JsonFormat.time(at));
  }

  private static void end(JsonGenerator json, Object payload) throws IOException {
    json.writeFieldName(PAYLOAD);
    PAYLOADS.writeValue(json, payload);
    json.writeEndObject();
  }

  /// The event's own id: its stream's and the sequence.
  public static String id(StreamEvent event) {
    return event.key().id() + "." + event.sequence();
  }
}
