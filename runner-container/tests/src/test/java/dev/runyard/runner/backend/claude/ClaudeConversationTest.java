package dev.runyard.runner.backend.claude;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.PlayedTalk;
import dev.runyard.runner.backend.Talking;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClaudeConversationTest {
  private static final String BASH =
      "{'type':'control_request','request_id':'r-1','request':{'subtype':'can_use_tool',"
          + "'tool_name':'Bash','input':{'command':'touch a','description':'run'},"
          + "'tool_use_id':'toolu_1'}}";
  private static final String RESULT = "{'type':'result','subtype':'success','is_error':false}";

  private final PlayedTalk talk = talk(Interactions.EMPTY);

  @Test
  void saysThePromptFirst() throws Exception {
    JsonNode first = PlayedTalk.written(talk.open()).getFirst();

    assertEquals("user", first.path("type").asText());
    assertEquals("do it", first.at("/message/content/0/text").asText());
    assertEquals(36, first.path("uuid").asText().length());
  }

  @Test
  void asksBeforeAToolIsUsed() {
    talk.open();

    Question question = PlayedTalk.question(talk.line(BASH));

    assertEquals(ActionType.PERMISSION, question.actionType());
    assertEquals("Claude Code asks to use Bash: touch a", question.prompt());
    JsonNode payload = question.payload();
    assertTrue(payload != null && payload.at("/input/command").asText().equals("touch a"));
  }

  @Test
  void repeatsTheInputWithAnApproval() throws Exception {
    talk.open();
    AgentInput.Decided decided = talk.decided(BASH, ActionDecision.APPROVE);

    List<Effect.Prompt> moves = talk.input(decided);

    assertEquals(new Effect.Took(decided), moves.getFirst());
    assertEquals(
        PlayedTalk.json(
            "{'type':'control_response','response':{'subtype':'success','request_id':'r-1',"
                + "'response':{'behavior':'allow','updatedInput':"
                + "{'command':'touch a','description':'run'}}}}"),
        PlayedTalk.written(moves).getFirst());
  }

  @Test
  void namesTheCallThatWaits() {
    talk.open();

    assertEquals("toolu_1", PlayedTalk.question(talk.line(BASH)).toolCallId());
  }

  @Test
  void saysWhyAPermissionIsRefused() throws Exception {
    talk.open();

    List<JsonNode> said =
        PlayedTalk.written(
            talk.input(
                PlayedTalk.decided(
                    PlayedTalk.question(talk.line(BASH)), ActionDecision.DENY, "not on a Friday")));

    assertEquals("deny", said.getFirst().at("/response/response/behavior").asText());
    assertEquals("not on a Friday", said.getFirst().at("/response/response/message").asText());
  }

  @Test
  void refusesWhatNobodyPermittedInTime() throws Exception {
    talk.open();

    List<JsonNode> said =
        PlayedTalk.written(talk.input(talk.decided(BASH, ActionDecision.TIMED_OUT)));

    assertEquals("deny", said.getFirst().at("/response/response/behavior").asText());
  }

  @Test
  void asksTheAgentsOwnQuestionsWithTheirChoices() throws Exception {
    talk.open();
    Question question =
        PlayedTalk.question(
            talk.line(
                "{'type':'control_request','request_id':'r-1','request':{'subtype':'can_use_tool',"
                    + "'tool_name':'AskUserQuestion','input':{'questions':[{'question':'Which?',"
                    + "'multiSelect':false,'options':[{'label':'Red'},{'label':'Blue'}]}]}}}"));

    List<JsonNode> said =
        PlayedTalk.written(talk.input(PlayedTalk.decided(question, ActionDecision.ANSWER, "Blue")));

    assertEquals(ActionType.QUESTION, question.actionType());
    assertEquals("Which?", question.prompt());
    assertEquals(List.of("Red", "Blue"), question.choices());
    assertEquals(
        "Blue", said.getFirst().at("/response/response/updatedInput/answers/Which?").asText());
  }

  @Test
  void givesOneMessageAtATime() throws Exception {
    String prompt = PlayedTalk.written(talk.open()).getFirst().path("uuid").asText();
    AgentInput.Said one = Talking.said("one", 5);
    AgentInput.Said two = Talking.said("two", 6);

    assertEquals(List.of(), talk.input(one));
    assertEquals(List.of(), talk.input(two));
    List<Effect> afterPrompt = talk.line(replayed(prompt));
    String first = PlayedTalk.written(afterPrompt).getFirst().path("uuid").asText();
    List<Effect> afterFirst = talk.line(replayed(first));

    assertEquals(new Effect.Took(one), afterPrompt.getFirst());
    assertEquals(new Effect.Took(two), afterFirst.getFirst());
    assertEquals(
        "two", PlayedTalk.written(afterFirst).getFirst().at("/message/content/0/text").asText());
  }

  @Test
  void waitsForTheTurnOfAMessageThatWasNotReadYet() throws Exception {
    String prompt = PlayedTalk.written(talk.open()).getFirst().path("uuid").asText();
    talk.line(replayed(prompt));
    String message =
        PlayedTalk.written(talk.input(Talking.said("one", 5))).getFirst().path("uuid").asText();

    List<Effect> first = talk.line(RESULT);
    talk.line("{'type':'system','subtype':'init','session_id':'s-1'}");
    talk.line(replayed(message));
    List<Effect> second = talk.line(RESULT);

    assertTrue(first.stream().noneMatch(Effect.Close.class::isInstance));
    assertEquals(new Effect.Close(), second.getLast());
  }

  @Test
  void endsAfterAWholeTurnThatRepeatedNothing() throws Exception {
    talk.line(replayed(PlayedTalk.written(talk.open()).getFirst().path("uuid").asText()));
    talk.input(Talking.said("one", 5));
    talk.line(RESULT);

    assertEquals(new Effect.Close(), talk.line(RESULT).getLast());
  }

  @Test
  void leavesMessagesThatComeTooLateWithTheRun() {
    talk.open();
    talk.line(RESULT);

    assertEquals(List.of(), talk.input(Talking.said("too late", 5)));
  }

  /// Each closing waits on a thread of its own for the end of the process.
  @Test
  void closesItsInputOnceHoweverOftenATurnEnds() throws Exception {
    talk.line(replayed(PlayedTalk.written(talk.open()).getFirst().path("uuid").asText()));
    assertEquals(new Effect.Close(), talk.line(RESULT).getLast());

    assertTrue(talk.line(RESULT).stream().noneMatch(Effect.Close.class::isInstance));
  }

  @Test
  void interruptsTheTurnWhenItIsToStop() throws Exception {
    talk.open();

    List<JsonNode> said = PlayedTalk.written(talk.stop());

    assertEquals("interrupt", said.getFirst().at("/request/subtype").asText());
    assertEquals(
        new Effect.Close(),
        talk.line("{'type':'result','subtype':'error_during_execution','is_error':true}")
            .getLast());
  }

  @Test
  void saysNothingMoreWhileItWaitsForAPerson() {
    talk.open();
    AgentInput.Decided decided = talk.decided(BASH, ActionDecision.APPROVE);

    assertEquals(List.of(), talk.stop());
    assertEquals(List.of(), talk.input(decided));
    assertEquals(List.of(), talk.line(BASH));
  }

  @Test
  void refusesWhatIsAskedWhileItStops() throws Exception {
    talk.open();
    talk.stop();

    JsonNode said = PlayedTalk.written(talk.line(BASH)).getFirst();

    assertEquals("deny", said.at("/response/response/behavior").asText());
    assertTrue(said.at("/response/response/interrupt").asBoolean());
  }

  @Test
  void answersFromTheLogWhatWasDecidedBefore() throws Exception {
    talk.open();
    AgentInput.Decided decided = talk.decided(BASH, ActionDecision.APPROVE);
    PlayedTalk resumed = talk(PlayedTalk.after(decided));
    resumed.open();
    assertEquals(List.of(), resumed.input(decided));

    List<Effect> moves = resumed.line(BASH);

    assertEquals(new Effect.Took(decided), moves.getFirst());
    assertEquals(
        "allow", PlayedTalk.written(moves).getFirst().at("/response/response/behavior").asText());
  }

  @Test
  void handsBackADecisionTheAgentNeverAskedForAgain() {
    talk.open();
    AgentInput.Decided decided = talk.decided(BASH, ActionDecision.APPROVE);
    PlayedTalk resumed = talk(PlayedTalk.after(decided));
    resumed.open();
    resumed.input(decided);

    List<Effect> moves = resumed.line(RESULT);

    assertEquals(
        List.of(decided),
        moves.stream()
            .filter(Effect.Refuse.class::isInstance)
            .map(move -> ((Effect.Refuse) move).input())
            .toList());
  }

  @Test
  void refusesADecisionTheAgentDoesNotWaitForAnyMore() {
    talk.open();
    AgentInput.Decided decided = talk.decided(BASH, ActionDecision.APPROVE);
    talk.line("{'type':'control_cancel_request','request_id':'r-1'}");

    assertEquals(List.of(), talk.input(decided));
    assertTrue(
        talk.line(RESULT).contains(new Effect.Refuse(decided, "the agent did not ask again")));
  }

  @Test
  void answersRequestsItDoesNotKnow() throws Exception {
    talk.open();

    JsonNode said =
        PlayedTalk.written(
                talk.line(
                    "{'type':'control_request','request_id':'r-7',"
                        + "'request':{'subtype':'mcp_message'}}"))
            .getFirst();

    assertEquals("error", said.at("/response/subtype").asText());
    assertEquals("r-7", said.at("/response/request_id").asText());
  }

  @Test
  void ignoresItsOwnInputWhenItIsRepeated() {
    talk.open();

    assertEquals(List.of(), talk.line(replayed("u-1")));
    assertEquals(
        List.of(), talk.line("{'type':'control_response','response':{'subtype':'success'}}"));
  }

  private static PlayedTalk talk(Interactions interactions) {
    return new PlayedTalk(
        new ClaudeConversation(
            new ClaudeStream("a/", null),
            new CliQuestions<>(PlayedTalk.standing(interactions)),
            "attempt-1",
            List.of(new RunEvent.RunStatus("opening")),
            List.of(AgentPrompt.of("run", "prompt", "do it"))));
  }

  private static String replayed(String id) {
    return "{'type':'user','isReplay':true,'uuid':'" + id + "'}";
  }
}
