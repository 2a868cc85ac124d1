package dev.runyard.core.transcript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.message.InputCheck;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.transcript.MessageReader.Boundary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageReaderTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String TIME = "2026-03-01T12:00:00Z";
  private static final MessagePart IMAGE =
      new MessagePart(
          "image/png",
          "aGk=",
          null,
          "base64",
          "image.png",
          JsonNodeFactory.instance.objectNode().put("kind", "citation"));
  private static final MessagePart LINK =
      new MessagePart("text/html", null, "https://example.org/", null, null, null);

  @Test
  void givesAWholeMessageBackAsItWas() {
    Message message =
        new Message(
            "agent/echo",
            List.of(MessagePart.text("héllo"), IMAGE, LINK),
            "2026-03-01T11:00:00.123456Z",
            "2026-03-01T11:00:01Z");

    List<Boundary> read = read(MessageEvents.whole(message));

    assertEquals(new Boundary.Completed(message), read.getLast());
    assertEquals(
        List.of(
            new Boundary.Part(MessagePart.text("héllo")),
            new Boundary.Part(IMAGE),
            new Boundary.Part(LINK)),
        read.subList(1, 4));
    assertEquals(
        List.of(MessagePart.text("héllo")), ((Boundary.Created) read.getFirst()).message().parts());
  }

  @Test
  void givesAPartOfAnySizeBackWhole() {
    MessagePart plain = MessagePart.text("é".repeat(Limits.TEXT_BYTES_MAX));
    MessagePart named =
        new MessagePart("text/csv", "1,2\n".repeat(50_000), null, null, "a.csv", null);
    Message message = new Message("agent", List.of(plain, named), null, null);
    List<RunEvent> events = MessageEvents.whole(message);

    assertTrue(events.size() > 4);
    assertEquals(new Boundary.Completed(message), read(events).getLast());
  }

  @Test
  void givesAMessageWithoutPartsBack() {
    Message empty = new Message("agent", List.of(), null, null);

    assertEquals(
        List.of(new Boundary.Created(empty), new Boundary.Completed(empty)),
        read(MessageEvents.whole(empty)));
  }

  @Test
  void makesOneMessageOfThePartsUntilItIsCompleted() {
    List<Boundary> read =
        read(
            List.of(
                new RunEvent.ModelDelta("one"),
                new RunEvent.ModelDelta("two"),
                new RunEvent.ModelCompleted(),
                new RunEvent.ModelCompleted()));

    assertEquals(
        List.of(
            new Boundary.Created(
                new Message("agent/echo", List.of(MessagePart.text("one")), TIME, null)),
            new Boundary.Part(MessagePart.text("one")),
            new Boundary.Part(MessagePart.text("two")),
            new Boundary.Completed(
                new Message(
                    "agent/echo",
                    List.of(MessagePart.text("one"), MessagePart.text("two")),
                    TIME,
                    TIME))),
        read);
  }

  @Test
  void completesWhatWasBegunWhenTheTurnEnds() {
    Failure failure = Failure.backend("agent_error", "It ended.");
    List<Boundary> read =
        read(List.of(new RunEvent.ModelDelta("half"), new RunEvent.TurnFailed(failure)));

    assertEquals(3, read.size());
    assertEquals("half", ((Boundary.Completed) read.getLast()).message().text());
  }

  @Test
  void continuesAMessageOnlyWhereAnAttemptContinues() {
    RunEvent half = new RunEvent.ModelDelta("half");
    RunEvent goesOn = new RunEvent.AttemptStarted(2, "a2", "r", "t", true);
    RunEvent anew = new RunEvent.AttemptStarted(2, "a2", "r", "t");

    assertEquals(2, read(List.of(half, goesOn)).size());
    assertEquals(3, read(List.of(half, anew)).size());
  }

  @Test
  void checksWhatMayBeginARun() {
    MessagePart both = new MessagePart("text/plain", "a", "b", null, null, null);
    MessagePart odd = new MessagePart("x".repeat(129), "a", null, null, null, null);
    MessagePart large = MessagePart.text("é".repeat(Limits.PROMPT_BYTES_MAX / 2));
    Message hello = Message.text("user", "hello");

    assertTrue(InputCheck.problem(List.of(hello, Message.text("agent/a_b", "hi"))).isEmpty());
    assertTrue(InputCheck.problem(List.of(user(large))).isEmpty());
    assertTrue(InputCheck.problem(List.of(user(large), hello)).isPresent());
    assertTrue(InputCheck.problem(List.of(user(both))).isPresent());
    assertTrue(InputCheck.problem(List.of(user(odd))).isPresent());
    assertTrue(InputCheck.problem(List.of(Message.text("system", "hi"))).isPresent());
    assertTrue(
        InputCheck.problem(Collections.nCopies(Limits.INPUT_MESSAGES_MAX + 1, hello)).isPresent());
    Message parts =
        new Message(
            "user",
            Collections.nCopies(Limits.INPUT_PARTS_MAX + 1, MessagePart.text("a")),
            null,
            null);
    assertTrue(InputCheck.problem(List.of(parts)).isPresent());
  }

  private static Message user(MessagePart part) {
    return new Message("user", List.of(part), null, null);
  }

  private static List<Boundary> read(List<RunEvent> events) {
    List<StoredEvent> stored = new ArrayList<>();
    events.forEach(
        event ->
            stored.add(new StoredEvent(RUN, "session-1", null, stored.size() + 1, NOW, event)));
    MessageReader reader = new MessageReader("agent/echo");
    return EventCodec.RUNS.decode(RUN, EventCodec.RUNS.encode(stored)).stream()
        .map(reader::read)
        .flatMap(List::stream)
        .toList();
  }
}
