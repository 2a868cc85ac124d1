package dev.runyard.runner.backend.acp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.action.ActionDecision;
import dev.runyard.core.action.ActionType;
import dev.runyard.core.action.Question;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.AgentInput;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.Journal;
import dev.runyard.runner.backend.AgentWord;
import dev.runyard.runner.backend.Move;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.Talking;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AcpTalkTest {
  private static final Attempt.Exit CLEAN = new Attempt.Exit(0, null);
  private static final AcpManners QUEUEING = AcpManners.USUAL.queueing(true);

  private final AcpBench asked = AcpBench.with(AcpManners.USUAL, AcpPermissions.ASKED);
  private final AcpBench alone = AcpBench.with(AcpManners.USUAL, AcpPermissions.NONE);

  @Test
  void offersNeitherFilesNorTerminals() throws Exception {
    JsonNode said = AcpBench.written(asked.open()).getFirst();

    assertEquals("initialize", said.path("method").asText());
    assertEquals(1, said.at("/params/protocolVersion").asInt());
    assertEquals(
        AcpBench.json("{'fs':{'readTextFile':false,'writeTextFile':false},'terminal':false}"),
        said.at("/params/clientCapabilities"));
  }

  @Test
  void opensASessionAndHandsThePromptOver() throws Exception {
    asked.open();
    JsonNode opening = AcpBench.written(asked.answer(AcpBench.AGREED)).getFirst();
    List<Move> opened = asked.answer(AcpBench.OPENED);

    assertEquals("session/new", opening.path("method").asText());
    assertEquals("/work", opening.at("/params/cwd").asText());
    assertEquals(List.of(new RunEvent.SessionUpdated("s-1")), AcpBench.told(opened));
    JsonNode prompt = AcpBench.written(opened).getFirst();
    assertEquals("session/prompt", prompt.path("method").asText());
    assertEquals("do it", prompt.at("/params/prompt/0/text").asText());
  }

  @Test
  void endsOnceThePromptIsAnswered() {
    asked.prompted();

    assertEquals(new Move.Close(), asked.ends("end_turn").getLast());
    assertEquals(Optional.empty(), asked.talk().end(CLEAN, "").failure());
  }

  @Test
  void endsWithAnAgentThatSpeaksAnotherVersion() {
    asked.open();

    assertEquals(new Move.Close(), asked.answer("{'protocolVersion':2}").getLast());
    assertEquals("protocol_version", failure(asked).code());
  }

  @Test
  void asksBeforeAToolIsUsed() throws Exception {
    asked.prompted();
    List<Move> moves = asked.asks("7", AcpBench.SHELL, AcpBench.OPTIONS);

    Question question = assertInstanceOf(Move.Ask.class, moves.getLast()).question();
    assertEquals(ActionType.PERMISSION, question.actionType());
    assertEquals("Agent asks to use execute: touch a", question.prompt());
    assertEquals(List.of("Always", "Once", "No"), question.choices());
    assertInstanceOf(RunEvent.ToolStarted.class, AcpBench.told(moves).getFirst());
    assertEquals(List.of(), AcpBench.written(moves));
  }

  @ParameterizedTest
  @CsvSource({
    "APPROVE,,o-1",
    "APPROVE,Always,o-2",
    "APPROVE,No,o-3",
    "APPROVE,because,o-1",
    "DENY,,o-3",
    "DENY,Always,o-3",
    "TIMED_OUT,,o-3"
  })
  void givesADecisionBackAsOneOfTheOptions(
      ActionDecision decision, @Nullable String text, String option) throws Exception {
    asked.prompted();
    Question question = question(asked.asks("'r-7'", AcpBench.SHELL, AcpBench.OPTIONS));
    AgentInput.Decided decided = Talking.decided(question, decision, text, 7);

    List<Move.Prompt> moves = asked.talk().input(decided);

    assertEquals(new Move.Took(decided), moves.getFirst());
    JsonNode answer = AcpBench.written(moves).getFirst();
    assertEquals("r-7", answer.path("id").asText());
    assertEquals("selected", answer.at("/result/outcome/outcome").asText());
    assertEquals(option, answer.at("/result/outcome/optionId").asText());
  }

  @Test
  void takesTheRequestBackWhereNothingToRefuseWithIsOffered() throws Exception {
    asked.prompted();
    Question question =
        question(
            asked.asks(
                "7", AcpBench.SHELL, "[{'optionId':'o-1','name':'Once','kind':'allow_once'}]"));

    List<JsonNode> said =
        AcpBench.written(
            asked.talk().input(Talking.decided(question, ActionDecision.DENY, null, 7)));

    assertEquals(
        AcpBench.json("{'outcome':{'outcome':'cancelled'}}"), said.getFirst().path("result"));
  }

  @Test
  void refusesAtOnceWhereNobodyIsAsked() throws Exception {
    alone.prompted();
    List<Move> moves = alone.asks("7", AcpBench.SHELL, AcpBench.OPTIONS);

    assertEquals("o-3", AcpBench.written(moves).getFirst().at("/result/outcome/optionId").asText());
    assertEquals(
        AcpTurn.REFUSED_CODE,
        assertInstanceOf(RunEvent.RuntimeWarning.class, AcpBench.told(moves).getLast()).code());
    assertTrue(moves.stream().noneMatch(Move.Ask.class::isInstance));
  }

  @ParameterizedTest
  @CsvSource({"EDITS,edit,o-1", "EDITS,execute,o-3", "ALL,execute,o-1", "NONE,edit,o-3"})
  void permitsWhatTheRunPermitsInAdvance(AcpPermissions permissions, String kind, String option)
      throws Exception {
    AcpBench bench = AcpBench.with(AcpManners.USUAL, permissions).prompted();

    List<Move> moves =
        bench.asks(
            "7", "{'toolCallId':'c-1','kind':'" + kind + "','title':'it'}", AcpBench.OPTIONS);

    assertEquals(
        option, AcpBench.written(moves).getFirst().at("/result/outcome/optionId").asText());
  }

  @Test
  void answersRequestsItDoesNotKnow() throws Exception {
    asked.prompted();

    JsonNode said =
        AcpBench.written(
                asked.line("{'id':'x','method':'fs/read_text_file','params':{'path':'/a'}}"))
            .getFirst();

    assertEquals("x", said.path("id").asText());
    assertEquals(-32601, said.at("/error/code").asInt());
  }

  @Test
  void handsAMessageOnToAnAgentThatQueues() throws Exception {
    AcpBench bench = AcpBench.with(QUEUEING, AcpPermissions.ASKED).prompted();
    AgentInput.Said message = Talking.said("and that", 5);

    List<Move.Prompt> moves = bench.talk().input(message);

    assertEquals(new Move.Took(message), moves.getFirst());
    assertEquals(
        "and that", AcpBench.written(moves).getFirst().at("/params/prompt/0/text").asText());
    assertTrue(bench.ends("end_turn").stream().noneMatch(Move.Close.class::isInstance));
    assertEquals(new Move.Close(), bench.ends("end_turn").getLast());
  }

  @Test
  void keepsAMessageUntilTheSessionIsOpen() throws Exception {
    AcpBench bench = AcpBench.with(QUEUEING, AcpPermissions.ASKED);
    bench.open();
    AgentInput.Said message = Talking.said("and that", 5);

    assertEquals(List.of(), bench.talk().input(message));
    bench.answer(AcpBench.AGREED);
    List<JsonNode> said = AcpBench.written(bench.answer(AcpBench.OPENED));

    assertEquals("do it", said.get(0).at("/params/prompt/0/text").asText());
    assertEquals("and that", said.get(1).at("/params/prompt/0/text").asText());
  }

  @Test
  void refusesAMessageToAnAgentThatTakesNone() {
    asked.prompted();
    AgentInput.Said message = Talking.said("and that", 5);

    assertInstanceOf(Move.Refuse.class, asked.talk().input(message).getFirst());
  }

  @Test
  void cancelsTheTurn() throws Exception {
    asked.prompted();

    List<JsonNode> said = AcpBench.written(asked.talk().stop());

    assertEquals("session/cancel", said.get(0).path("method").asText());
    assertEquals("s-1", said.get(0).at("/params/sessionId").asText());
    assertEquals(new Move.Close(), asked.ends("cancelled").getLast());
  }

  @Test
  void leavesTheConversationAsItStandsWhileItWaitsForAPerson() throws Exception {
    asked.prompted();
    asked.asks("7", AcpBench.SHELL, AcpBench.OPTIONS);

    assertEquals(List.of(), asked.talk().stop());
  }

  @Test
  void saysNothingBeforeThereIsASessionToCancel() {
    asked.open();

    assertEquals(List.of(), asked.talk().stop());
  }

  @Test
  void cancelsWhatIsAskedWhileItStops() throws Exception {
    asked.prompted();
    asked.talk().stop();

    List<Move> moves = asked.asks("7", AcpBench.SHELL, AcpBench.OPTIONS);

    assertEquals(
        "cancelled", AcpBench.written(moves).getFirst().at("/result/outcome/outcome").asText());
  }

  @Test
  void handsBackADecisionOnWhatIsNotAskedAnyMore() {
    asked.prompted();
    Question question = question(asked.asks("7", AcpBench.SHELL, AcpBench.OPTIONS));
    AgentInput.Decided decided = Talking.decided(question, ActionDecision.APPROVE, null, 7);
    asked.line("{'method':'$/cancel_request','params':{'requestId':7}}");

    assertEquals(List.of(), asked.talk().input(decided));
    assertTrue(
        asked.ends("end_turn").contains(new Move.Refuse(decided, "the agent did not ask again")));
  }

  @Test
  void goesOnInAnOldSession() throws Exception {
    AcpBench bench = resuming(false);
    bench.open();

    JsonNode opening =
        AcpBench.written(
                bench.answer(
                    "{'protocolVersion':1,'agentCapabilities':{'loadSession':true,"
                        + "'sessionCapabilities':{'resume':{}}}}"))
            .getFirst();

    assertEquals("session/resume", opening.path("method").asText());
    assertEquals("old", opening.at("/params/sessionId").asText());
    assertEquals(
        "old", AcpBench.written(bench.answer("{}")).getFirst().at("/params/sessionId").asText());
  }

  @Test
  void tellsNothingOfWhatAnOldSessionRepeats() throws Exception {
    AcpBench bench = resuming(false);
    bench.open();
    JsonNode opening =
        AcpBench.written(
                bench.answer("{'protocolVersion':1,'agentCapabilities':{'loadSession':true}}"))
            .getFirst();

    assertEquals("session/load", opening.path("method").asText());
    assertEquals(List.of(), bench.says("said before"));
    assertEquals(
        "do it",
        AcpBench.written(bench.answer("{}")).getFirst().at("/params/prompt/0/text").asText());
  }

  @Test
  void doesNotRepeatAPromptTheOldSessionHolds() throws Exception {
    AcpBench bench = resuming(true);
    bench.open();
    bench.answer("{'protocolVersion':1,'agentCapabilities':{'loadSession':true}}");
    bench.update("{'sessionUpdate':'user_message_chunk','content':{'type':'text','text':'do it'}}");

    assertEquals(
        AgentWord.GO_ON,
        AcpBench.written(bench.answer("null")).getFirst().at("/params/prompt/0/text").asText());
  }

  @Test
  void failsWhereTheOldSessionIsGone() {
    AcpBench bench = resuming(false);
    bench.open();
    bench.answer("{'protocolVersion':1,'agentCapabilities':{'loadSession':true}}");

    assertEquals(new Move.Close(), bench.fail("{'code':-32603,'message':'No'}").getLast());
    assertEquals("session_not_found", failure(bench).code());
  }

  @Test
  void failsWhereTheAgentCannotGoOn() {
    AcpBench bench = resuming(false);
    bench.open();

    bench.answer(AcpBench.AGREED);

    assertEquals("session_not_found", failure(bench).code());
  }

  private static AcpBench resuming(boolean continues) {
    return AcpBench.with(
        AcpManners.USUAL,
        AcpPermissions.ASKED,
        new SessionChoice.ById("old", false),
        continues,
        Journal.EMPTY);
  }

  private static Question question(List<Move> moves) {
    return assertInstanceOf(Move.Ask.class, moves.getLast()).question();
  }

  private static Failure failure(AcpBench bench) {
    return bench.talk().end(CLEAN, "").failure().orElseThrow();
  }
}
