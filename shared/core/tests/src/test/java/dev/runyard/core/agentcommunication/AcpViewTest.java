package dev.runyard.core.agentcommunication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.PermissionResolved;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.SampleEvents;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import dev.runyard.core.transcript.MessageEvents;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AcpViewTest {
  private static final RunKey RUN = new RunKey("default", "019a0000-0000-7000-8000-000000000001");
  private static final String SESSION = "019a0000-0000-7000-8000-000000000002";
  private static final Instant START = Instant.parse("2026-01-01T00:00:00.123Z");
  private static final List<RunEvent> ACCEPTED =
      List.of(
          new RunEvent.TaskCreated(
              "echo", Map.of(), List.of(), null, 60, Map.of(), Map.of(), RetryPolicy.NEVER),
          new RunEvent.TurnSubmitted("hi"),
          new RunEvent.TaskQueued(1, 0, 0));
  private static final List<RunEvent> CLAIMED =
      List.of(
          new RunEvent.AttemptStarted(1, "a1", "r1", "t1"),
          new RunEvent.TurnStarted(1),
          new RunEvent.ProcessStarted("p1", "echo"));
  private static final List<RunEvent> DONE =
      List.of(
          new RunEvent.ProcessCompleted("p1", 0, null, 5),
          new RunEvent.AttemptCompleted(1, "a1"),
          new RunEvent.TurnCompleted(),
          new RunEvent.TaskCompleted());
  private static final Failure FAILURE = Failure.backend("agent_error", "It broke.");

  private final AcpView view = new AcpView();
  private final List<AcpEvent> events = new ArrayList<>();
  private int sequence;

  private void read(List<? extends RunEvent> more) {
    for (RunEvent event : more) {
      sequence++;
      events.addAll(
          view.read(
              new StoredEvent(RUN, SESSION, null, sequence, START.plusSeconds(sequence), event)));
    }
  }

  private void read(RunEvent... more) {
    read(List.of(more));
  }

  private List<String> types() {
    return events.stream().map(AcpEvent::type).toList();
  }

  private JsonNode run(int index) {
    return events.get(index).json().path("run");
  }

  private static RunEvent asks(int number, ActionType type, int seconds) {
    return new ActionRequired(
        ActionId.of(RUN, number),
        type,
        "Which one?",
        null,
        List.of("a", "b"),
        seconds,
        START.plusSeconds(seconds),
        null);
  }

  private static RunEvent decides(int number, ActionDecision decision) {
    return new RunEvent.ActionResolved(ActionId.of(RUN, number), decision, null, "client");
  }

  @Test
  void showsARunInTheProtocolsOrder() {
    read(ACCEPTED);
    read(CLAIMED);
    read(new RunEvent.ModelDelta("hel"), new RunEvent.ModelDelta("lo"));
    read(MessageEvents.whole(Message.text("agent/other", "bye")).getFirst());
    read(new RunEvent.ModelCompleted());
    read(DONE);

    assertEquals(
        List.of(
            "run.created",
            "run.in-progress",
            "message.created",
            "message.part",
            "message.part",
            "message.part",
            "message.completed",
            "run.completed"),
        types());
    assertEquals(
        List.of(false, false, false, false, false, false, false, true),
        events.stream().map(AcpEvent::settles).toList());
  }

  @Test
  void keepsTheRunOfEveryEventAsItStoodThen() {
    read(ACCEPTED);
    read(CLAIMED);
    read(MessageEvents.whole(Message.text("agent/echo", "hi")));
    read(DONE);

    assertEquals(
        "{\"run_id\":\"%s\",\"agent_name\":\"echo\",\"session_id\":\"%s\",\"status\":\"created\",\"output\":[],\"created_at\":\"2026-01-01T00:00:01.123Z\"}"
            .formatted(RUN.runId(), SESSION),
        run(0).toString());
    assertEquals("in-progress", run(1).path("status").asText());
    JsonNode last = run(events.size() - 1);
    assertEquals("completed", last.path("status").asText());
    assertEquals("hi", last.at("/output/0/parts/0/content").asText());
    assertEquals("agent/echo", last.at("/output/0/role").asText());
    assertTrue(last.path("finished_at").asText().endsWith("Z"));
    assertEquals(last, view.run());
  }

  @Test
  void keepsTheTimesAnAgentNamesAndAddsTheOnesItDoesNot() {
    read(ACCEPTED);
    read(CLAIMED);
    read(
        MessageEvents.whole(
            new Message(
                "user",
                List.of(MessagePart.text("a")),
                "2025-06-04T22:16:53.123456Z",
                "2025-06-05T22:16:53Z")));
    read(MessageEvents.whole(Message.text("user", "b")));

    assertEquals("2025-06-04T22:16:53.123456Z", view.output().getFirst().createdAt());
    assertEquals("2025-06-05T22:16:53Z", view.output().getFirst().completedAt());
    assertEquals("2026-01-01T00:00:09.123Z", view.output().getLast().createdAt());
    assertEquals("2026-01-01T00:00:10.123Z", view.output().getLast().completedAt());
  }

  @Test
  void awaitsAndContinuesWithTheNextEvent() {
    read(ACCEPTED);
    read(CLAIMED);
    Message asked = new Message("agent/awaiter", List.of(), null, null);
    read(
        new ActionRequired(
            ActionId.of(RUN, 1),
            ActionType.MESSAGE,
            "",
            null,
            List.of(),
            60,
            START.plusSeconds(60),
            JsonFormat.JSON.valueToTree(asked)));
    assertEquals("run.awaiting", types().getLast());
    assertTrue(events.getLast().settles());
    assertEquals(
        "{\"role\":\"agent/awaiter\",\"parts\":[],\"created_at\":\"2026-01-01T00:00:07.123Z\",\"completed_at\":\"2026-01-01T00:00:07.123Z\"}",
        run(2).at("/await_request/message").toString());
    assertEquals("message", run(2).at("/await_request/type").asText());

    read(new RunEvent.TaskPaused(1, "a1", "await"));
    read(decides(1, ActionDecision.ANSWER));
    read(new RunEvent.TaskResumed(2), new RunEvent.TaskQueued(2, 0, 0));
    read(new RunEvent.AttemptStarted(2, "a2", "r1", "t2", true));
    read(new RunEvent.ModelDelta("empty"));

    assertEquals(
        List.of("run.in-progress", "message.created", "message.part"), types().subList(3, 6));
    assertFalse(run(3).has("await_request"));
  }

  @Test
  void showsSeveralQuestionsOneAfterAnother() {
    read(ACCEPTED);
    read(CLAIMED);
    read(asks(1, ActionType.QUESTION, 60), asks(2, ActionType.PERMISSION, 60));
    assertEquals(List.of("run.created", "run.in-progress", "run.awaiting"), types());
    assertEquals("Which one?", run(2).at("/await_request/message/parts/0/content").asText());

    read(decides(1, ActionDecision.ANSWER));

    assertEquals(List.of("run.in-progress", "run.awaiting"), types().subList(3, 5));
    assertEquals("in-progress", run(3).path("status").asText());
    assertTrue(
        run(4).at("/await_request/message/parts/1/content").asText().contains("\"permission\""));
  }

  @Test
  void endsAnAwaitThatTimedOutWithoutGoingOn() {
    read(ACCEPTED);
    read(CLAIMED);
    read(asks(1, ActionType.MESSAGE, 60));
    read(
        decides(1, ActionDecision.TIMED_OUT),
        new RunEvent.TurnFailed(Failure.notAnswered()),
        new RunEvent.TaskTimedOut(Failure.notAnswered()));

    assertEquals(List.of("run.awaiting", "run.failed"), types().subList(2, 4));
    assertEquals("server_error", run(3).at("/error/code").asText());
    assertEquals("await_timed_out", run(3).at("/error/data/code").asText());
  }

  @Test
  void keepsAnAgentsOwnErrorCode() {
    read(ACCEPTED);
    read(CLAIMED);
    Failure wrong = Failure.backend("invalid_input", "Wrong question buddy!");
    read(
        new RunEvent.ModelDelta("hm"),
        new RunEvent.TurnFailed(wrong),
        new RunEvent.TaskFailed(wrong));

    assertEquals(List.of("message.completed", "run.failed"), types().subList(4, 6));
    assertEquals("invalid_input", run(5).at("/error/code").asText());
    assertEquals("Wrong question buddy!", run(5).at("/error/message").asText());
  }

  @Test
  void endsACancelledRunAfterCancellingOnlyItsReadersSee() {
    read(ACCEPTED);
    read(CLAIMED);
    read(new RunEvent.ModelDelta("h"), new RunEvent.CancelRequested("enough"));
    assertEquals("cancelling", view.run().path("status").asText());
    assertEquals("h", view.run().at("/output/0/parts/0/content").asText());

    read(new RunEvent.TurnFailed(FAILURE), new RunEvent.TaskCancelled("enough"));

    assertEquals(
        List.of("message.created", "message.part", "message.completed", "run.cancelled"),
        types().subList(2, 6));
  }

  @Test
  void outputIsThatOfTheLastTryAndNoSecondBeginningIsShown() {
    read(ACCEPTED);
    read(CLAIMED);
    read(new RunEvent.ModelDelta("first"), new RunEvent.AttemptFailed(1, "a1", FAILURE));
    read(new RunEvent.TaskRetrying(2, "agent_error"), new RunEvent.TaskQueued(2, 0, 0));
    read(new RunEvent.AttemptStarted(2, "a2", "r1", "t2"));
    read(new RunEvent.ModelDelta("second"));

    assertEquals(1, types().stream().filter("run.in-progress"::equals).count());
    assertEquals(1, view.output().size());
    assertEquals(List.of(MessagePart.text("second")), view.output().getFirst().parts());
  }

  @Test
  void showsWhatIsNotAMessageAsGeneric() {
    read(ACCEPTED);
    read(CLAIMED);
    read(
        new RunEvent.ToolStarted("t1", "shell", "execute", "ls"),
        new RunEvent.RuntimeError("stream_broken", "The model went away."),
        new RunEvent.Other("plan.updated", JsonNodeFactory.instance.objectNode().put("n", 1)));

    assertEquals(List.of("generic", "generic", "generic"), types().subList(2, 5));
    assertEquals("tool.started", events.get(2).json().at("/generic/type").asText());
    assertEquals("shell", events.get(2).json().at("/generic/payload/name").asText());
    assertEquals("runtime.error", events.get(3).json().at("/generic/type").asText());
    assertEquals(1, events.get(4).json().at("/generic/payload/n").asInt());
  }

  @Test
  void showsAllOfAnAgentsWorkAsGeneric() {
    List<String> work =
        List.of(
            "artifact.changed",
            "output.spilled",
            "output.truncated",
            "reasoning.delta",
            "runtime.error",
            "runtime.warning",
            "task.progress",
            "tool.failed",
            "tool.progress",
            "tool.result",
            "tool.started");
    List<RunEvent> told =
        SampleEvents.all().stream()
            .filter(event -> work.contains(EventTypes.nameOf(event)))
            .toList();
    read(ACCEPTED);
    read(CLAIMED);
    read(told);

    assertEquals(
        told.stream().map(EventTypes::nameOf).toList(),
        events.stream()
            .filter(event -> event.type().equals("generic"))
            .map(event -> event.json().at("/generic/type").asText())
            .toList());
  }

  @Test
  void asksOnceHoweverManyWaitAndWhateverElseHappens() {
    read(ACCEPTED);
    read(CLAIMED);
    read(asks(1, ActionType.QUESTION, 60), asks(2, ActionType.QUESTION, 60));
    read(new RunEvent.ToolProgress("t1", "shell", "execute", "half", null));

    assertEquals(List.of("run.created", "run.in-progress", "run.awaiting", "generic"), types());
  }

  @Test
  void continuesWhereAPermissionWasNotGivenInTime() {
    read(ACCEPTED);
    read(CLAIMED);
    read(asks(1, ActionType.QUESTION, 60), asks(2, ActionType.QUESTION, 60));
    read(decides(1, ActionDecision.CANCELLED));
    assertEquals(List.of("run.awaiting"), types().subList(2, types().size()));

    read(decides(2, ActionDecision.ANSWER));
    assertEquals("run.in-progress", types().getLast());
  }

  /// Its decision comes in two events, and only the second says that the agent continues.
  @Test
  void continuesAfterARefusedPermissionWithNothingElse() {
    read(ACCEPTED);
    read(CLAIMED);
    read(asks(1, ActionType.PERMISSION, 60));
    read(decides(1, ActionDecision.TIMED_OUT));
    int before = events.size();
    read(
        new RunEvent.RunStatus("running"),
        new RunEvent.ProcessInput("p1", null, ActionId.of(RUN, 1), null),
        new RunEvent.ChannelMessage("m1", "hello", null),
        new RunEvent.TurnStarted(1),
        new RunEvent.TaskRetrying(2, "agent_error"),
        new RunEvent.TurnFailed(FAILURE),
        new RunEvent.CostRecorded(new Usage(1, 0, 0, 0, null), null),
        new RunEvent.SessionUpdated("native-1"));
    assertEquals(before, events.size());

    read(new PermissionResolved(ActionId.of(RUN, 1), ActionDecision.TIMED_OUT));

    assertEquals("run.in-progress", types().getLast());
    assertEquals(before + 1, events.size());
  }

  @Test
  void aRunThatWasJustAcceptedHasNoOutput() {
    read(ACCEPTED);
    RunState.Existing run = (RunState.Existing) RunFold.fold(RunState.absent(), stored(ACCEPTED));

    assertEquals(view.run(), AcpView.accepted(run));
    assertEquals("created", AcpView.accepted(run).path("status").asText());
  }

  private static List<StoredEvent> stored(List<RunEvent> accepted) {
    List<StoredEvent> stored = new ArrayList<>();
    for (RunEvent event : accepted) {
      int at = stored.size() + 1;
      stored.add(new StoredEvent(RUN, SESSION, null, at, START.plusSeconds(at), event));
    }
    return stored;
  }
}
