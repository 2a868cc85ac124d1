package dev.runyard.core.transcript;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.message.OutputHead;
import dev.runyard.core.message.OutputPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads an agent's messages from a run's events, one event after another: where each begins, what
/// is added to it, and where it ends. The result depends on the events alone, so a stream and a
/// later read agree. Not thread-safe.
public final class MessageReader {
  private final String role;
  private final List<MessagePart> parts = new ArrayList<>();
  private @Nullable OutputHead head;
  private @Nullable String begun;
  private @Nullable OutputPart open;
  private final StringBuilder content = new StringBuilder();

  /// @param role of messages for which the agent names none: `agent/<name>`
  public MessageReader(String role) {
    this.role = role;
  }

  /// What an event means for the messages.
  public sealed interface Boundary {
    /// A message begins; it holds what is known of it so far.
    record Created(Message message) implements Boundary {}

    record Part(MessagePart part) implements Boundary {}

    record Completed(Message message) implements Boundary {}
  }

  public List<Boundary> read(StoredEvent stored) {
    String now = JsonFormat.time(stored.timestamp());
    return switch (stored.event()) {
      case RunEvent.ModelDelta delta -> delta(delta, now);
      case RunEvent.ModelCompleted completed -> completed(completed.message(), now);
      case RunEvent.AttemptStarted started ->
          started.continuation() ? List.of() : completed(null, now);
      case RunEvent.TurnEnd _ -> completed(null, now);
      case RunEvent.Execution _,
          RunEvent.Scheduling _,
          RunEvent.Terminal _,
          RunEvent.Output _,
          RunEvent.Interaction _,
          RunEvent.Notice _ ->
          List.of();
    };
  }

  private List<Boundary> delta(RunEvent.ModelDelta delta, String now) {
    OutputPart about = delta.part();
    if (open == null) {
      open = about == null ? new OutputPart(null, null, null, null, null, null, null) : about;
    }
    content.append(delta.text());
    return about != null && about.goesOn() ? List.of() : List.copyOf(finish(open, now));
  }

  private List<Boundary> finish(OutputPart about, String now) {
    MessagePart part =
        new MessagePart(
            Objects.requireNonNullElse(about.contentType(), MessagePart.PLAIN),
            about.contentUrl() == null ? content.toString() : null,
            about.contentUrl(),
            about.contentEncoding(),
            about.name(),
            about.metadata());
    open = null;
    content.setLength(0);
    List<Boundary> found = new ArrayList<>();
    parts.add(part);
    if (parts.size() == 1) {
      head = about.message();
      begun = now;
      found.add(new Boundary.Created(message(null)));
    }
    found.add(new Boundary.Part(part));
    return found;
  }

  private List<Boundary> completed(@Nullable OutputHead empty, String now) {
    List<Boundary> found = new ArrayList<>();
    if (open != null) {
      found.addAll(finish(open, now));
    }
    if (parts.isEmpty() && empty == null) {
      return List.of();
    }
    if (parts.isEmpty()) {
      head = empty;
      begun = now;
      found.add(new Boundary.Created(message(null)));
    }
    found.add(new Boundary.Completed(message(now)));
    parts.clear();
    head = null;
    return List.copyOf(found);
  }

  private Message message(@Nullable String completedAt) {
    OutputHead named = head;
    return named == null
        ? new Message(role, parts, begun, completedAt)
        : new Message(
            Objects.requireNonNullElse(named.role(), role),
            parts,
            named.createdAt(),
            named.completedAt());
  }
}
