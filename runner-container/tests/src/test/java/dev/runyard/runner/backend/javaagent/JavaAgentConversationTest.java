package dev.runyard.runner.backend.javaagent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.agent.channel.FromAgent;
import dev.runyard.agent.channel.FromAgentJson;
import dev.runyard.agent.channel.ToAgent;
import dev.runyard.agent.channel.ToAgentJson;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.process.Line;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class JavaAgentConversationTest {
  private static final RunKey RUN = new RunKey("acme", "01980000-0000-7000-8000-000000000001");
  private static final ToAgent.Start START =
      new ToAgent.Start("a", "x.A", RUN, "t-1", "s", "go", List.of(), Interactions.EMPTY);
  private static final AgentInput SAID =
      new AgentInput.Said(new InboxMessage(7, Instant.EPOCH, "m-1", "hi", "p", null, 0, null));
  private static final Attempt.Exit WELL = new Attempt.Exit(0, null);

  private List<Message> history = List.of();
  private final JavaAgentConversation conversation =
      new JavaAgentConversation(START, new Patience(3, 4, 5), this::history);

  private List<Message> history() {
    if (history.isEmpty()) {
      throw new PortUnavailable("not now");
    }
    return history;
  }

  @Test
  void beginsWithWhatToExecuteAndALimitOfItsStart() {
    List<Effect> opening = conversation.open();

    assertEquals(new Effect.Write(ToAgentJson.write(START)), opening.getFirst());
    Effect.Expect expect = assertInstanceOf(Effect.Expect.class, opening.getLast());
    assertEquals(3_000, expect.millis());
    assertEquals("agent_not_started", expect.failure().get().orElseThrow().code());
    say(new FromAgent.Started());
    assertEquals(Optional.empty(), expect.failure().get());
    assertEquals(4_000, conversation.politeMillis());
  }

  @Test
  void passesAnInputOnAndReportsItOnceWhenItIsTaken() {
    assertEquals(
        List.of(new Effect.Write(ToAgentJson.write(new ToAgent.Input(SAID)))),
        conversation.input(SAID));
    say(new FromAgent.Started());

    assertEquals(List.of(new Effect.Took(SAID)), say(new FromAgent.Took(7)));
    assertBreaks(new FromAgent.Took(7));
  }

  @Test
  void reportsAnInputThatCameTooLate() {
    conversation.input(SAID);

    assertEquals(
        List.of(new Effect.Refuse(SAID, "the agent has ended")), say(new FromAgent.Refused(7)));
    say(new FromAgent.Ended(Optional.empty()));
    assertEquals(List.of(new Effect.Refuse(SAID, "the agent has ended")), conversation.input(SAID));
  }

  @Test
  void acceptsNoInputThatWasNotGiven() {
    assertBreaks(new FromAgent.Refused(7));
  }

  @Test
  void acceptsOnlyTheNextQuestionOfItsRun() {
    assertEquals(List.of(new Effect.Ask(question(1))), say(new FromAgent.Asked(question(1))));
    assertEquals(List.of(new Effect.Ask(question(2))), say(new FromAgent.Asked(question(2))));
    assertBreaks(new FromAgent.Asked(question(2)));
  }

  @Test
  void acceptsMessagesToItselfOfItsRunOnly() {
    RunEvent own = new RunEvent.ChannelMessage(RUN.runId() + ".own-1", "note", "agent");

    assertEquals(List.of(new Effect.Tell(own)), say(new FromAgent.Told(own)));
    assertBreaks(new FromAgent.Told(new RunEvent.ChannelMessage("m-1", "note", "agent")));
  }

  @Test
  void acceptsNothingAfterTheEnd() {
    say(new FromAgent.Ended(Optional.empty()));

    assertEquals(Optional.empty(), failure(WELL, ""));
    assertBreaks(new FromAgent.Told(new RunEvent.ModelDelta("more")));
  }

  @Test
  void acceptsOneStart() {
    say(new FromAgent.Started());

    assertBreaks(new FromAgent.Started());
  }

  @Test
  void acceptsNoLineThatIsTooLong() {
    assertInstanceOf(
        Effect.Expect.class, conversation.oversize(new Line.Oversize("x", 1 << 21)).getFirst());
    assertEquals(List.of(), conversation.line("more"), "it is ended once");
  }

  @Test
  void readsTheHistoryWhereWaitingIsAllowed() {
    Effect.Reply reply =
        assertInstanceOf(Effect.Reply.class, say(new FromAgent.HistoryWanted()).getFirst());
    assertEquals(ToAgentJson.write(new ToAgent.NoHistory()), reply.line().get());

    history = List.of(Message.text("user", "before"));
    assertEquals(ToAgentJson.write(new ToAgent.History(history)), reply.line().get());
  }

  @Test
  void tellsHowAProcessDiedFromItsExit() {
    assertEquals("agent_not_started", failure(new Attempt.Exit(1, null), "").orElseThrow().code());
    say(new FromAgent.Started());
    assertEquals("agent_exited", failure(WELL, "").orElseThrow().code());
    assertEquals("agent_exited", failure(new Attempt.Exit(3, null), "").orElseThrow().code());
    assertEquals(
        Optional.of(JavaAgentOutcome.OUT_OF_MEMORY),
        failure(
            new Attempt.Exit(3, null),
            "Terminating due to java.lang.OutOfMemoryError: Java heap space"));
    assertEquals("agent_killed", failure(new Attempt.Exit(null, 9), "").orElseThrow().code());
    conversation.stop();
    assertEquals(Optional.of(JavaAgentOutcome.STOPPED), failure(new Attempt.Exit(null, 15), ""));
  }

  @Test
  void believesTheReasonThatTheAgentGave() {
    Failure own = Failure.backend("mine", "My reason.");
    say(new FromAgent.Ended(Optional.of(own)));

    assertEquals(Optional.of(own), failure(new Attempt.Exit(1, null), ""));
  }

  private void assertBreaks(FromAgent message) {
    Effect.Expect ended = assertInstanceOf(Effect.Expect.class, say(message).getFirst());
    assertEquals(Optional.of(JavaAgentOutcome.BROKE_PROTOCOL), ended.failure().get());
  }

  private List<Effect> say(FromAgent message) {
    return conversation.line(FromAgentJson.write(message));
  }

  private Optional<Failure> failure(Attempt.Exit exit, String stderr) {
    return conversation.end(exit, stderr).failure();
  }

  private static Question question(int number) {
    return new Question(
        ActionId.of(RUN, number), ActionType.QUESTION, "Well?", null, List.of(), 0, null);
  }
}
