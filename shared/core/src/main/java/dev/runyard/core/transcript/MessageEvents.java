package dev.runyard.core.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.message.OutputHead;
import dev.runyard.core.message.OutputPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An agent's structured output as events: every part is one `model.delta`, or several where its
/// content is longer than [Limits#TEXT_BYTES_MAX]; `model.completed` ends the message.
/// [MessageReader] turns them back into the same messages.
public final class MessageEvents {
  private MessageEvents() {}

  /// A whole message.
  public static List<RunEvent> whole(Message message) {
    OutputHead head = new OutputHead(message.role(), message.createdAt(), message.completedAt());
    List<RunEvent> events = new ArrayList<>();
    for (MessagePart part : message.parts()) {
      events.addAll(part(part, events.isEmpty() ? head : null));
    }
    events.add(new RunEvent.ModelCompleted(events.isEmpty() ? head : null));
    return List.copyOf(events);
  }

  /// A part of the message being written; `model.completed` or the run's end completes it.
  public static List<RunEvent> part(MessagePart part) {
    return part(part, null);
  }

  private static List<RunEvent> part(MessagePart part, @Nullable OutputHead head) {
    List<String> pieces =
        Bounds.split(Objects.requireNonNullElse(part.content(), ""), Limits.TEXT_BYTES_MAX);
    boolean more = pieces.size() > 1;
    OutputPart about =
        new OutputPart(
            part.contentType().equals(MessagePart.PLAIN) ? null : bounded(part.contentType()),
            part.contentUrl(),
            part.contentEncoding(),
            part.name(),
            metadata(part.metadata()),
            more ? Boolean.TRUE : null,
            head);
    boolean plain = part.plain() && !more && head == null;
    List<RunEvent> events = new ArrayList<>();
    events.add(new RunEvent.ModelDelta(pieces.getFirst(), plain ? null : about));
    for (int i = 1; i < pieces.size(); i++) {
      boolean last = i == pieces.size() - 1;
      events.add(new RunEvent.ModelDelta(pieces.get(i), last ? null : OutputPart.CONTINUED));
    }
    return events;
  }

  private static String bounded(String contentType) {
    return Bounds.truncate(contentType, Limits.CONTENT_TYPE_BYTES_MAX);
  }

  private static @Nullable JsonNode metadata(@Nullable JsonNode metadata) {
    return metadata == null ? null : Bounds.data(metadata, Bounds.DATA_BYTES_MAX);
  }
}
