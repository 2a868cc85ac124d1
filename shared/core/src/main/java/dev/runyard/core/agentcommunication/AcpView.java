package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.PermissionResolved;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.RunStatus;
import dev.runyard.core.transcript.MessageReader;
import dev.runyard.core.view.RenderedEvent;
import dev.runyard.core.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One run as a client of the protocol sees it, read from its first stored event: each stored event
/// becomes none, one or several events of the protocol, always the same ones. Agent output other
/// than messages is `generic`, with the stored event's type and payload in it, and so is an error
/// that does not end the run, because the protocol's clients disconnect at an `error`. Not
/// thread-safe.
public final class AcpView implements View {
  public static final String NAME = "acp";

  private RunState state = RunState.absent();
  private MessageReader reader = new MessageReader("agent");
  private final List<Message> output = new ArrayList<>();
  private final List<MessagePart> writing = new ArrayList<>();
  private @Nullable Message begun;
  private @Nullable RunStatus told;

  @Override
  public Past past() {
    return Past.EVERY_EVENT;
  }

  @Override
  public List<RenderedEvent> render(StoredEvent event) {
    return read(event).stream()
        .map(told -> new RenderedEvent(told.type(), told.json().toString()))
        .toList();
  }

  @Override
  public void skip(StoredEvent event) {
    read(event);
  }

  /// The protocol's events for the next stored event of the run.
  public List<AcpEvent> read(StoredEvent stored) {
    state = RunFold.evolve(state, stored);
    List<AcpEvent> events = new ArrayList<>();
    if (stored.event() instanceof RunEvent.TaskCreated && state instanceof RunState.Existing run) {
      reader = new MessageReader(AcpRun.role(run));
      events.add(run(RunStatus.CREATED, false));
    }
    for (MessageReader.Boundary boundary : reader.read(stored)) {
      events.add(message(boundary, JsonFormat.time(stored.timestamp())));
    }
    if (stored.event() instanceof RunEvent.AttemptStarted started && !started.continuation()) {
      output.clear();
    }
    events.addAll(progress(stored.event()));
    aside(stored.event()).ifPresent(events::add);
    return events;
  }

  /// The run as of the last event read, which there must be.
  public ObjectNode run() {
    return json(existing().status());
  }

  /// True when the last event read ended the run.
  public boolean ended() {
    return state instanceof RunState.Closed;
  }

  /// A run that was just accepted.
  public static ObjectNode accepted(RunState.Existing run) {
    return AcpRun.json(run, run.status(), List.of());
  }

  /// The agent's messages so far; the last one may still be written.
  public List<Message> output() {
    List<Message> messages = new ArrayList<>(output);
    Message head = begun;
    if (head != null && !writing.isEmpty()) {
      messages.add(new Message(head.role(), writing, head.createdAt(), head.completedAt()));
    }
    return messages;
  }

  private AcpEvent message(MessageReader.Boundary boundary, String now) {
    return switch (boundary) {
      case MessageReader.Boundary.Created created -> {
        Message message = timed(created.message(), now, null);
        begun = message;
        yield event("message.created", "message", AcpMessages.json(message));
      }
      case MessageReader.Boundary.Part part -> {
        writing.add(part.part());
        yield event("message.part", "part", AcpMessages.json(part.part()));
      }
      case MessageReader.Boundary.Completed completed -> {
        String since = begun == null ? null : begun.createdAt();
        Message message = timed(completed.message(), Objects.requireNonNullElse(since, now), now);
        begun = null;
        writing.clear();
        output.add(message);
        yield event("message.completed", "message", AcpMessages.json(message));
      }
    };
  }

  /// A message whose agent named no times gets those of its events, because the protocol's clients
  /// replace an absent time by the time at which they read it.
  private static Message timed(Message message, String created, @Nullable String completed) {
    return new Message(
        message.role(),
        message.parts(),
        Objects.requireNonNullElse(message.createdAt(), created),
        message.completedAt() == null ? completed : message.completedAt());
  }

  private List<AcpEvent> progress(RunEvent event) {
    return switch (existing().status()) {
      case COMPLETED, FAILED, CANCELLED -> List.of(run(existing().status(), true));
      case IN_PROGRESS ->
          told != RunStatus.IN_PROGRESS && goesOn(event)
              ? List.of(run(RunStatus.IN_PROGRESS, false))
              : List.of();
      case AWAITING -> awaiting(event);
      case CREATED, CANCELLING -> List.of();
    };
  }

  /// A run that awaits several decisions shows them one after another.
  private List<AcpEvent> awaiting(RunEvent event) {
    if (told != RunStatus.AWAITING) {
      return List.of(run(RunStatus.AWAITING, true));
    }
    return event instanceof RunEvent.Resolution && goesOn(event)
        ? List.of(run(RunStatus.IN_PROGRESS, false), run(RunStatus.AWAITING, true))
        : List.of();
  }

  /// False for a decision that ends the run or the attempt: the end comes with it. A permission
  /// that nobody grants in time is refused, and the agent continues.
  private static boolean goesOn(RunEvent event) {
    return switch (event) {
      case RunEvent.AttemptStarted _ -> true;
      case PermissionResolved resolved -> resolved.decision() == ActionDecision.TIMED_OUT;
      case RunEvent.ActionResolved resolved ->
          resolved.decision() != ActionDecision.CANCELLED
              && resolved.decision() != ActionDecision.TIMED_OUT;
      case RunEvent.Execution _,
          RunEvent.Scheduling _,
          RunEvent.TurnEnd _,
          RunEvent.Terminal _,
          RunEvent.Output _,
          RunEvent.Interaction _,
          RunEvent.Notice _ ->
          false;
    };
  }

  private static Optional<AcpEvent> aside(RunEvent event) {
    return switch (event) {
      case RunEvent.ModelDelta _,
          RunEvent.ModelCompleted _,
          RunEvent.SessionUpdated _,
          RunEvent.CostRecorded _,
          RunEvent.StateChange _,
          RunEvent.Interaction _,
          RunEvent.Notice _ ->
          Optional.empty();
      case RunEvent.Output told -> Optional.of(event("generic", "generic", generic(told)));
    };
  }

  private static ObjectNode generic(RunEvent event) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("type", EventTypes.nameOf(event));
    return json.set(
        "payload",
        event instanceof RunEvent.Other other
            ? other.payload()
            : JsonFormat.JSON.valueToTree(event));
  }

  private AcpEvent run(RunStatus status, boolean settles) {
    told = status;
    String type = "run." + status.wire();
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("type", type);
    return new AcpEvent(type, json.set("run", json(status)), settles);
  }

  private ObjectNode json(RunStatus status) {
    return AcpRun.json(existing(), status, output());
  }

  private RunState.Existing existing() {
    if (state instanceof RunState.Existing existing) {
      return existing;
    }
    throw new IllegalStateException("no event was read");
  }

  private static AcpEvent event(String type, String member, ObjectNode value) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("type", type);
    return new AcpEvent(type, json.set(member, value), false);
  }
}
