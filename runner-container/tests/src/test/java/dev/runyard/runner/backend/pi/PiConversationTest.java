package dev.runyard.runner.backend.pi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.PlayedTalk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PiConversationTest {
  private static final String USER = "{'type':'message_start','message':{'role':'user'}}";
  private static final String START = "{'type':'agent_start'}";
  private static final String END = "{'type':'agent_end','messages':[]}";
  private static final String RETRY = "{'type':'auto_retry_start'}";
  private static final String COMPACTION = "{'type':'compaction_start'}";
  private static final String COMPACTED = "{'type':'compaction_end','willRetry':true}";
  private static final List<Effect> LEFT = List.of(new Effect.Close());

  private final PlayedTalk talk =
      new PlayedTalk(new PiConversation(new PiStream("a/", "m"), "Do it."));

  @Test
  void asksForItsStateAndSendsThePrompt() {
    assertEquals(
        List.of(
            write("{'id':'begin','type':'get_state'}"),
            write(
                "{'id':'prompt','type':'prompt','message':'Do it.','streamingBehavior':'steer'}")),
        talk.open());
    assertEquals(
        List.of(new Effect.Tell(new RunEvent.SessionUpdated("s-1"))),
        talk.line(
            "{'type':'response','id':'begin','command':'get_state','data':{'sessionId':'s-1'}}"));
  }

  @Test
  void endsOnceItsTurnSucceededAndItGotEveryMessage() {
    talk.open();
    lines(START, USER, message("stop", ""));
    assertEquals(LEFT, talk.line(END));
    assertEquals(Optional.empty(), talk.failure().map(Failure::code));
  }

  @Test
  void sendsMessagesWhileItWorksAndWaitsUntilTheyAreRead() {
    talk.open();
    lines(taken("prompt"), START, USER);
    AgentInput.Said said = said("m-1", "Stop.");
    assertEquals(
        List.of(
            new Effect.Took(said),
            write("{'id':'m-1','type':'prompt','message':'Stop.','streamingBehavior':'steer'}")),
        talk.input(said));
    lines(taken("m-1"), message("stop", ""));
    assertEquals(List.of(look(1)), talk.line(END));
    lines(START);
    assertEquals(List.of(), talk.line(state(1, 0)));
    lines(USER, message("stop", ""));
    assertEquals(LEFT, talk.line(END));
    assertEquals(List.of(), talk.input(said("m-2", "Late.")));
  }

  @Test
  void beginsAnotherTurnForAMessageThatCameTooLate() {
    talk.open();
    lines(taken("prompt"), START, USER);
    talk.input(said("m-1", "Stop."));
    lines(taken("m-1"), message("stop", ""), END);
    Effect on = talk.line(state(1, 1)).getFirst();
    assertInstanceOf(Effect.Write.class, on);
    lines(START, USER, USER, message("stop", ""));
    assertEquals(LEFT, talk.line(END));
  }

  @Test
  void waitsWhileItAsksItsModelAgain() {
    talk.open();
    lines(taken("prompt"), START, USER, message("error", "500 no"));
    assertEquals(List.of(look(1)), talk.line(END));
    lines(RETRY);
    assertEquals(List.of(), talk.line(state(1, 0)));
    lines(START, message("error", "429 Rate limit reached"));
    assertEquals(List.of(look(2)), talk.line(END));
    assertEquals(List.of(look(3)), talk.line("{'type':'auto_retry_end','success':false}"));
    assertEquals(List.of(), talk.line(state(2, 0)));
    assertEquals(LEFT, talk.line(state(3, 0)));
    assertEquals(Optional.of("rate_limited"), talk.failure().map(Failure::code));
  }

  @Test
  void staysForTheToolsOfARepeatedCall() {
    talk.open();
    lines(taken("prompt"), START, USER, message("error", "500 no"), END, RETRY, START);
    lines(message("toolUse", ""));
    assertEquals(List.of(), talk.line("{'type':'auto_retry_end','success':true}"));
    assertEquals(List.of(), talk.line(state(1, 0)));
    lines(message("stop", ""));
    assertEquals(LEFT, talk.line(END));
    assertEquals(Optional.empty(), talk.failure());
  }

  @Test
  void staysForTheCallThatFollowsACompaction() {
    talk.open();
    lines(taken("prompt"), START, USER, message("error", "too long"), END, COMPACTION);
    assertEquals(List.of(), talk.line(COMPACTED));
    assertEquals(List.of(), talk.line(state(1, 0)));
    lines(START, message("stop", ""));
    assertEquals(LEFT, talk.line(END));
  }

  @Test
  void endsAfterACompactionThatNothingFollows() {
    talk.open();
    lines(taken("prompt"), START, USER, message("error", "too long"), END, COMPACTION);
    assertEquals(
        List.of(look(2)), talk.line("{'type':'compaction_end','willRetry':false,'aborted':true}"));
    assertEquals(LEFT, talk.line(state(2, 0)));
  }

  @Test
  void endsAfterACompactionOfACompleteTurn() {
    talk.open();
    lines(taken("prompt"), START, USER);
    talk.input(said("m-1", "Stop."));
    lines(taken("m-1"), message("stop", ""), END, COMPACTION);
    assertEquals(List.of(look(2)), talk.line(COMPACTED));
    assertEquals(LEFT, talk.line(state(2, 0)));
  }

  @Test
  void endsAfterACompactionOfARepeatedCall() {
    talk.open();
    lines(taken("prompt"), START, USER, message("error", "500 no"), END, RETRY);
    lines(START, message("error", "too long"), END, COMPACTION);
    assertEquals(List.of(look(3)), talk.line(COMPACTED));
    assertEquals(LEFT, talk.line(state(3, 0)));
  }

  @Test
  void staysForAMessageThatCrossesTheEndOfATurn() {
    talk.open();
    lines(taken("prompt"), START, USER, message("stop", ""));
    talk.input(said("m-1", "Stop."));
    assertEquals(List.of(look(1)), talk.line(END));
    assertEquals(List.of(), talk.line(state(1, 0)));
    assertEquals(List.of(look(2)), talk.line(taken("m-1")));
    assertEquals(
        List.of(),
        talk.line(
            "{'type':'response','id':'2','command':'get_state',"
                + "'data':{'isStreaming':true,'pendingMessageCount':0}}"));
    lines(START, USER, message("stop", ""));
    assertEquals(LEFT, talk.line(END));
  }

  @Test
  void staysForAMessageThatCrossesItsState() {
    talk.open();
    lines(taken("prompt"), START, USER, message("error", "no"));
    assertEquals(List.of(look(1)), talk.line(END));
    talk.input(said("m-1", "Go on."));
    assertEquals(List.of(), talk.line(state(1, 0)));
    assertEquals(List.of(look(2)), talk.line(taken("m-1")));
    assertEquals(LEFT, talk.line(state(2, 0)));
  }

  @Test
  void sendsAMessageOnceTheOneBeforeIsAnswered() {
    talk.open();
    AgentInput.Said first = said("m-1", "Stop.");
    assertEquals(List.of(), talk.input(first));
    assertEquals(List.of(), talk.input(said("m-2", "Now.")));
    assertEquals(
        List.of(
            new Effect.Took(first),
            write("{'id':'m-1','type':'prompt','message':'Stop.','streamingBehavior':'steer'}")),
        talk.line(taken("prompt")));
    lines(START, USER);
    assertEquals(2, talk.line(taken("m-1")).size());
    assertEquals(List.of(), talk.line(taken("m-2")));
  }

  @Test
  void endsWhereItDoesNotBeginALaterMessage() {
    talk.open();
    lines(taken("prompt"), START, USER, message("stop", ""));
    talk.input(said("m-1", "Stop."));
    lines(END, state(1, 0));
    assertEquals(LEFT, talk.line(refused("m-1")));
    assertEquals(Optional.of("no_key"), talk.failure().map(Failure::code));
  }

  @Test
  void goesOnWithItsWorkIfItDoesNotTakeAMessage() {
    talk.open();
    lines(taken("prompt"), START, USER);
    talk.input(said("m-1", "Stop."));
    assertEquals(List.of(), talk.line(refused("m-1")));
    lines(message("stop", ""));
    assertEquals(LEFT, talk.line(END));
  }

  @Test
  void handsNothingOverOnceItIsStopped() {
    talk.open();
    talk.input(said("m-1", "Stop."));
    talk.stop();
    assertEquals(List.of(), talk.line(taken("prompt")));
  }

  @Test
  void endsWhereItDoesNotBegin() {
    talk.open();
    assertEquals(LEFT, talk.line(refused("prompt")));
    assertEquals(Optional.of("no_key"), talk.failure().map(Failure::code));
  }

  @Test
  void declinesWhatAnExtensionAsksOfATerminal() {
    talk.open();
    assertEquals(
        List.of(write("{'id':'7','type':'extension_ui_response','cancelled':true}")),
        talk.line("{'type':'extension_ui_request','id':'7','method':'confirm'}"));
    assertEquals(
        List.of(), talk.line("{'type':'extension_ui_request','id':'8','method':'setStatus'}"));
  }

  @Test
  void saysNothingMoreOnceItIsStopped() {
    talk.open();
    lines(START, USER);
    assertEquals(List.of(), talk.stop());
    assertEquals(List.of(), talk.input(said("m-1", "Stop.")));
    assertEquals(List.of(), talk.line(END));
  }

  private void lines(String... lines) {
    List<Effect> moves = new ArrayList<>();
    for (String line : lines) {
      moves.addAll(talk.line(line));
    }
    assertEquals(List.of(), moves.stream().filter(Effect.Close.class::isInstance).toList());
  }

  private static AgentInput.Said said(String id, String content) {
    return new AgentInput.Said(
        new InboxMessage(3, Instant.EPOCH, id, content, "print", null, 0, null));
  }

  private static String message(String stopped, String error) {
    return "{'type':'message_end','message':{'role':'assistant','stopReason':'%s','errorMessage':'%s'}}"
        .formatted(stopped, error);
  }

  private static String taken(String id) {
    return "{'type':'response','id':'%s','command':'prompt','success':true}".formatted(id);
  }

  private static String refused(String id) {
    return "{'type':'response','id':'%s','command':'prompt','success':false,".formatted(id)
        + "'error':'No API key found for x.'}";
  }

  private static String state(int look, int pending) {
    return "{'type':'response','id':'%d','command':'get_state','data':{'pendingMessageCount':%d}}"
        .formatted(look, pending);
  }

  private static Effect look(int number) {
    return write("{'id':'%d','type':'get_state'}".formatted(number));
  }

  private static Effect write(String json) {
    return new Effect.Write(PlayedTalk.quoted(json));
  }
}
