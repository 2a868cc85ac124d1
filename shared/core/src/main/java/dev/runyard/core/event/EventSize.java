package dev.runyard.core.event;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An upper bound of an event's size, without encoding its text, because bounding chunks and
/// backlogs must cost almost nothing.
public final class EventSize {
  private static final int ENVELOPE_BYTES = 1024;
  private static final int VALUE_BYTES = 64;
  private static final int CHAR_BYTES_MAX = 3;

  private static final ClassValue<List<Method>> MEMBERS =
      new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
          return Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getAccessor)
              .toList();
        }
      };

  private EventSize() {}

  /// Upper bound of an event's bytes in UTF-8. A delta counts without its envelope; nearly all
  /// events are deltas, so they have a shortcut.
  public static int atMost(RunEvent event) {
    return switch (event) {
      case RunEvent.ModelDelta delta -> bytes(delta.text()) + bytes(delta.part());
      case RunEvent.ReasoningDelta delta -> bytes(delta.text());
      case RunEvent.Output _, RunEvent.StateChange _, RunEvent.Interaction _, RunEvent.Notice _ ->
          ENVELOPE_BYTES + members((Record) event);
    };
  }

  private static int members(Record record) {
    int bytes = 0;
    for (Method member : MEMBERS.get(record.getClass())) {
      try {
        bytes += bytes(member.invoke(record));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return bytes;
  }

  private static int bytes(@Nullable Object value) {
    return switch (value) {
      case null -> 0;
      case String text -> text.length() * CHAR_BYTES_MAX;
      case JsonNode json -> json.toString().length() * CHAR_BYTES_MAX;
      case List<?> values -> values.stream().mapToInt(it -> VALUE_BYTES + bytes(it)).sum();
      case Map<?, ?> entries ->
          entries.entrySet().stream()
              .mapToInt(it -> VALUE_BYTES + bytes(it.getKey()) + bytes(it.getValue()))
              .sum();
      case Record record -> VALUE_BYTES * MEMBERS.get(record.getClass()).size() + members(record);
      case Number _, Boolean _, Enum<?> _, Instant _ -> 0;
      case Object other ->
          throw new IllegalStateException("no size is known of a " + other.getClass().getName());
    };
  }
}
