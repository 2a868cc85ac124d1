package dev.runyard.local.events;

import java.math.BigInteger;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;

/// One record of a stream and when it was read. Its age counts from the reading, because embedded
/// streams state the time of a write only to the minute.
record StreamEntry(Record record, Instant arrived) {

  String sequenceNumber() {
    return record.dynamodb().sequenceNumber();
  }

  BigInteger position() {
    return position(sequenceNumber());
  }

  static BigInteger position(String sequenceNumber) {
    return new BigInteger(sequenceNumber);
  }

  /// The record as a filter sees it: the JSON of the event, created lazily.
  Map<String, Object> view() {
    Map<String, Object> change = new HashMap<>();
    var stream = record.dynamodb();
    change.put("SequenceNumber", stream.sequenceNumber());
    if (stream.sizeBytes() != null) {
      change.put("SizeBytes", stream.sizeBytes());
    }
    change.put("StreamViewType", String.valueOf(stream.streamViewTypeAsString()));
    put(change, "Keys", stream.hasKeys() ? stream.keys() : null);
    put(change, "NewImage", stream.hasNewImage() ? stream.newImage() : null);
    put(change, "OldImage", stream.hasOldImage() ? stream.oldImage() : null);
    Map<String, Object> event = new HashMap<>();
    event.put("eventID", record.eventID());
    event.put("eventName", record.eventNameAsString());
    event.put("eventSource", "aws:dynamodb");
    event.put("dynamodb", change);
    return event;
  }

  private static void put(
      Map<String, Object> change, String name, @Nullable Map<String, AttributeValue> image) {
    if (image != null) {
      change.put(name, new Image(image));
    }
  }

  /// An item seen as its JSON: `{"name": {"S": "text"}}`.
  private static final class Image extends AbstractMap<String, Object> {
    private final Map<String, AttributeValue> attributes;

    Image(Map<String, AttributeValue> attributes) {
      this.attributes = attributes;
    }

    @Override
    public @Nullable Object get(Object name) {
      AttributeValue value = attributes.get(name);
      return value == null ? null : typed(value);
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
      Map<String, Object> all = new LinkedHashMap<>();
      attributes.forEach((name, value) -> all.put(name, typed(value)));
      return all.entrySet();
    }

    private static Map<String, Object> typed(AttributeValue value) {
      return switch (value.type()) {
        case S -> Map.of("S", value.s());
        case N -> Map.of("N", value.n());
        case B -> Map.of("B", base64(value.b().asByteArrayUnsafe()));
        case BOOL -> Map.of("BOOL", value.bool());
        case NUL -> Map.of("NULL", true);
        case SS -> Map.of("SS", value.ss());
        case NS -> Map.of("NS", value.ns());
        case BS -> Map.of("BS", value.bs().stream().map(b -> base64(b.asByteArray())).toList());
        case M -> Map.of("M", new Image(value.m()));
        case L -> Map.of("L", (List<?>) value.l().stream().map(Image::typed).toList());
        case UNKNOWN_TO_SDK_VERSION -> Map.of();
      };
    }

    private static String base64(byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }
  }
}
