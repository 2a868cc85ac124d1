package dev.runyard.runner.backend.codex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.PlayedTalk;
import dev.runyard.runner.backend.Talking;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CodexConversationTest {
  private static final Path WORKSPACE = Path.of("/space/x");
  private static final CodexThread FRESH = new CodexThread.Fresh();
  private static final String COMMAND =
      "{'method':'item/commandExecution/requestApproval','id':0,'params':{'threadId':'t-1',"
          + "'turnId':'u-1','itemId':'c-1','command':'touch a','cwd':'/space/x',"
          + "'availableDecisions':['accept','cancel']}}";
  private static final String FILES =
      "{'method':'item/fileChange/requestApproval','id':1,'params':{'threadId':'t-1',"
          + "'turnId':'u-1','itemId':'f-1','reason':'to say hello','grantRoot':null}}";
  private static final String FILE_ITEM =
      "{'method':'item/started','params':{'threadId':'t-1','turnId':'u-1','item':{'id':'f-1',"
          + "'type':'fileChange','status':'inProgress','changes':[{'path':'/space/x/n.txt',"
          + "'kind':{'type':'add'},'diff':'hello'}]}}}";
  private static final String STARTED =
      "{'method':'turn/started','params':{'threadId':'t-1','turn':{'id':'u-1'}}}";
  private static final String COMPLETED =
      "{'method':'turn/completed','params':{'threadId':'t-1','turn':{'id':'u-1',"
          + "'status':'completed','error':null}}}";

  private PlayedTalk talk = talk(FRESH, Map.of(), Interactions.EMPTY);

  @Test
  void opensAThreadAndBeginsATurn() throws Exception {
    JsonNode initialize = PlayedTalk.written(talk.open()).getFirst();
    List<JsonNode> opening = PlayedTalk.written(talk.line("{'id':1,'result':{}}"));
    List<Effect> opened = talk.line("{'id':2,'result':{'thread':{'id':'t-1'}}}");
    JsonNode turn = PlayedTalk.written(opened).getFirst();

    assertEquals("initialize", initialize.path("method").asText());
    assertEquals(PlayedTalk.json("{'method':'initialized'}"), opening.getFirst());
    assertEquals(
        PlayedTalk.json(
            "{'id':2,'method':'thread/start','params':{'cwd':'/space/x',"
                + "'approvalPolicy':'untrusted','sandbox':'workspace-write','model':'gpt-5.5'}}"),
        opening.getLast());
    assertEquals(new Effect.Tell(new RunEvent.SessionUpdated("t-1")), opened.getFirst());
    assertEquals("turn/start", turn.path("method").asText());
    assertEquals("do it", turn.at("/params/input/0/text").asText());
    assertEquals(36, turn.at("/params/clientUserMessageId").asText().length());
  }

  @Test
  void continuesAThreadOrACopyOfIt() throws Exception {
    talk = talk(new CodexThread.Known("t-9", Usage.NONE), Map.of(), Interactions.EMPTY);
    talk.open();
    JsonNode resume = PlayedTalk.written(talk.line("{'id':1,'result':{}}")).getLast();
    talk = talk(new CodexThread.Copied("t-9", Usage.NONE), Map.of(), Interactions.EMPTY);
    talk.open();
    JsonNode fork = PlayedTalk.written(talk.line("{'id':1,'result':{}}")).getLast();

    assertEquals("thread/resume", resume.path("method").asText());
    assertEquals("t-9", resume.at("/params/threadId").asText());
    assertEquals("thread/fork", fork.path("method").asText());
    assertEquals("t-9", fork.at("/params/threadId").asText());
  }

  @Test
  void followsTheExtensions() throws Exception {
    Map<String, JsonNode> extensions =
        Map.of(
            CodexOptions.APPROVAL_POLICY, PlayedTalk.json("'on-failure'"),
            CodexOptions.SANDBOX_MODE, PlayedTalk.json("'read-only'"));
    talk = talk(FRESH, extensions, Interactions.EMPTY);
    talk.open();

    JsonNode params =
        PlayedTalk.written(talk.line("{'id':1,'result':{}}")).getLast().path("params");

    assertEquals("on-request", params.path("approvalPolicy").asText());
    assertEquals("read-only", params.path("sandbox").asText());
  }

  @Test
  void asksBeforeACommandRuns() {
    begin();

    Question question = PlayedTalk.question(talk.line(COMMAND));

    assertEquals(ActionType.PERMISSION, question.actionType());
    assertEquals("Codex asks to run: touch a", question.prompt());
    assertEquals(List.of(), question.choices());
    assertEquals("c-1", question.toolCallId());
    JsonNode payload = question.payload();
    assertTrue(payload != null && payload.at("/input/command").asText().equals("touch a"));
  }

  @Test
  void asksBeforeFilesAreChanged() throws Exception {
    begin();
    talk.line(FILE_ITEM);

    Question question = PlayedTalk.question(talk.line(FILES));
    List<JsonNode> said =
        PlayedTalk.written(
            talk.input(PlayedTalk.decided(question, ActionDecision.APPROVE, CodexRequest.SESSION)));

    assertEquals("Codex asks to change files: add n.txt\nReason: to say hello", question.prompt());
    assertEquals(List.of(CodexRequest.ONCE, CodexRequest.SESSION), question.choices());
    assertEquals(
        PlayedTalk.json("{'id':1,'result':{'decision':'acceptForSession'}}"), said.getFirst());
  }

  @ParameterizedTest
  @CsvSource({
    "APPROVE,accept",
    "DENY,decline",
    "TIMED_OUT,decline",
    "ANSWER,decline",
    "CANCELLED,cancel"
  })
  void answersWithTheDecision(ActionDecision decision, String word) throws Exception {
    begin();
    AgentInput.Decided decided =
        PlayedTalk.decided(PlayedTalk.question(talk.line(COMMAND)), decision, null);

    List<Effect.Prompt> moves = talk.input(decided);

    assertEquals(new Effect.Took(decided), moves.getFirst());
    assertEquals(
        PlayedTalk.json("{'id':0,'result':{'decision':'" + word + "'}}"),
        PlayedTalk.written(moves).getFirst());
  }

  @Test
  void takesNoUnreportedChangesForOthers() {
    begin();

    Question first = PlayedTalk.question(talk.line(FILES));
    Question second = PlayedTalk.question(talk.line(FILES.replace("f-1", "f-2")));

    assertNotEquals(first.payload(), second.payload());
    assertEquals(
        "Codex asks to change files it did not name\nReason: to say hello", first.prompt());
  }

  @Test
  void answersFromTheLogWhatWasDecidedBefore() throws Exception {
    begin();
    AgentInput.Decided decided = talk.decided(COMMAND, ActionDecision.APPROVE);
    talk = talk(FRESH, Map.of(), PlayedTalk.after(decided));
    begin();
    assertEquals(List.of(), talk.input(decided));

    List<Effect> moves = talk.line(COMMAND.replace("/space/x", "/space/y"));

    assertEquals(new Effect.Took(decided), moves.getFirst());
    assertEquals("accept", PlayedTalk.written(moves).getFirst().at("/result/decision").asText());
  }

  @Test
  void refusesADecisionCodexDoesNotWaitForAnyMore() {
    begin();
    AgentInput.Decided decided = talk.decided(COMMAND, ActionDecision.APPROVE);
    talk.line("{'method':'serverRequest/resolved','params':{'threadId':'t-1','requestId':0}}");

    assertEquals(List.of(), talk.input(decided));
    assertTrue(
        talk.line(COMPLETED).contains(new Effect.Refuse(decided, "the agent did not ask again")));
  }

  @Test
  void answersRequestsItDoesNotKnow() throws Exception {
    begin();

    JsonNode said =
        PlayedTalk.written(
                talk.line("{'method':'mcpServer/elicitation/request','id':'e-1','params':{}}"))
            .getFirst();

    assertEquals("e-1", said.path("id").asText());
    assertEquals(-32601, said.at("/error/code").asInt());
  }

  @Test
  void saysAMessageIntoTheTurnThatRuns() throws Exception {
    begin();
    AgentInput.Said message = Talking.said("faster", 5);

    List<Effect.Prompt> moves = talk.input(message);

    assertEquals(new Effect.Took(message), moves.getFirst());
    JsonNode steer = PlayedTalk.written(moves).getFirst();
    assertEquals("turn/steer", steer.path("method").asText());
    assertEquals("u-1", steer.at("/params/expectedTurnId").asText());
    assertEquals("faster", steer.at("/params/input/0/text").asText());
  }

  @Test
  void keepsAMessageUntilATurnRuns() throws Exception {
    talk.open();
    AgentInput.Said message = Talking.said("faster", 5);

    assertEquals(List.of(), talk.input(message));
    talk.line("{'id':1,'result':{}}");
    List<Effect> opened = talk.line("{'id':2,'result':{'thread':{'id':'t-1'}}}");

    assertTrue(opened.contains(new Effect.Took(message)));
    JsonNode turn = PlayedTalk.written(opened).getFirst();
    assertEquals("do it", turn.at("/params/input/0/text").asText());
    assertEquals("faster", turn.at("/params/input/1/text").asText());
  }

  @Test
  void beginsAnotherTurnForAMessageThatCameTooLate() throws Exception {
    begin();
    int steer =
        PlayedTalk.written(talk.input(Talking.said("faster", 5))).getFirst().path("id").asInt();

    List<Effect> ended = talk.line(COMPLETED);
    List<Effect> again =
        talk.line(
            "{'error':{'code':-32600,'message':'no active turn to steer'},'id':" + steer + "}");

    assertTrue(ended.stream().noneMatch(Effect.Close.class::isInstance));
    assertEquals("turn/start", PlayedTalk.written(again).getFirst().path("method").asText());
    assertEquals(
        "faster", PlayedTalk.written(again).getFirst().at("/params/input/0/text").asText());
  }

  @Test
  void endsWhenATurnEndsThatGotEveryMessage() throws Exception {
    begin();
    int steer =
        PlayedTalk.written(talk.input(Talking.said("faster", 5))).getFirst().path("id").asInt();
    talk.line("{'id':" + steer + ",'result':{'turnId':'u-1'}}");

    assertEquals(new Effect.Close(), talk.line(COMPLETED).getLast());
    assertEquals(List.of(), talk.input(Talking.said("too late", 6)));
  }

  @Test
  void interruptsTheTurnWhenItIsToStop() throws Exception {
    begin();

    JsonNode said = PlayedTalk.written(talk.stop()).getFirst();
    JsonNode answer = PlayedTalk.written(talk.line(COMMAND)).getFirst();
    List<Effect> ended = talk.line(COMPLETED.replace("completed','error", "interrupted','error"));

    assertEquals("turn/interrupt", said.path("method").asText());
    assertEquals("cancel", answer.at("/result/decision").asText());
    assertEquals(new Effect.Close(), ended.getLast());
    assertTrue(talk.failure().isPresent(), "it has not finished");
  }

  @Test
  void hasFinishedIfItDidSoBeforeItHeardOfTheStop() {
    begin();
    var _ = talk.stop();
    var _ = talk.line(COMPLETED);

    assertEquals(Optional.empty(), talk.failure());
  }

  @Test
  void saysNothingMoreWhileItWaitsForAPerson() {
    begin();
    AgentInput.Decided decided = talk.decided(COMMAND, ActionDecision.APPROVE);

    assertEquals(List.of(), talk.stop());
    assertEquals(List.of(), talk.input(decided));
    assertEquals(List.of(), talk.line(COMMAND));
    assertTrue(talk.failure().isPresent(), "it exits with 0 and has not finished");
  }

  @Test
  void leavesOutWhatOtherThreadsDo() {
    begin();

    assertEquals(List.of(), talk.line(COMPLETED.replace("t-1", "t-2")));
    assertEquals(
        List.of(), talk.line(delta("agentMessage/delta", "m-1", "Hel").replace("t-1", "t-2")));
  }

  @ParameterizedTest
  @CsvSource({
    "usageLimitExceeded,quota_exhausted",
    "unauthorized,key_refused",
    "contextWindowExceeded,context_full",
    "somethingNew,agent_failed"
  })
  void failsByMeaning(String info, String code) {
    begin();
    String error = "{'message':'secret','codexErrorInfo':'" + info + "','additionalDetails':null}";
    talk.line(
        "{'method':'error','params':{'threadId':'t-1','willRetry':false,'error':" + error + "}}");

    List<Effect> ended =
        talk.line(COMPLETED.replace("completed','error':null", "failed','error':" + error));

    assertEquals(new Effect.Close(), ended.getLast());
    Failure failure = talk.failure().orElseThrow();
    assertEquals(code, failure.code());
    assertFalse(failure.message().contains("secret"));
  }

  @Test
  void failsWhenTheThreadCannotBeOpened() {
    talk.open();
    talk.line("{'id':1,'result':{}}");

    List<Effect> moves = talk.line("{'error':{'code':-32600,'message':'no rollout found'},'id':2}");

    assertEquals(new Effect.Close(), moves.getLast());
    assertEquals("session_not_found", talk.failure().orElseThrow().code());
  }

  @Test
  void leavesOutWhatItCannotRead() {
    begin();

    assertInstanceOf(
        RunEvent.RuntimeWarning.class, PlayedTalk.told(talk.line("not JSON")).getFirst());
    assertEquals(List.of(), talk.line("not JSON either"));
    assertEquals(List.of(), talk.line("{'method':'account/rateLimits/updated','params':{}}"));
  }

  private void begin() {
    talk.open();
    talk.line("{'id':1,'result':{}}");
    talk.line("{'id':2,'result':{'thread':{'id':'t-1'}}}");
    talk.line(STARTED);
  }

  private static PlayedTalk talk(
      CodexThread thread, Map<String, JsonNode> extensions, Interactions interactions) {
    Map<String, JsonNode> all = new java.util.HashMap<>(extensions);
    all.put("agent_api.exec.non_interactive", JsonFormat.JSON.getNodeFactory().booleanNode(false));
    CodexRun codexRun =
        new CodexRun(CodexOptions.of(all, WORKSPACE), thread, "do it", WORKSPACE, Map.of());
    return new PlayedTalk(
        new CodexConversation(
            new CodexStream("a/", "gpt-5.5", thread),
            new CodexLines(codexRun, "gpt-5.5"),
            new CliQuestions<>(PlayedTalk.standing(interactions)),
            "attempt-1",
            List.of(),
            List.of(AgentPrompt.of("run", "prompt", "do it"))));
  }

  private static String delta(String what, String itemId, String delta) {
    return "{'method':'item/%s','params':{'threadId':'t-1','itemId':'%s','delta':'%s'}}"
        .formatted(what, itemId, delta);
  }
}
