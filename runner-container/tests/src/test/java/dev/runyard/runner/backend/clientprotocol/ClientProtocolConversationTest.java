package dev.runyard.runner.backend.clientprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.PlayedTalk;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.Talking;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClientProtocolConversationTest {
  private static final Attempt.Exit CLEAN = new Attempt.Exit(0, null);
  private static final ClientProtocolQuirks QUEUEING = ClientProtocolQuirks.USUAL.queueing(true);

  private final ClientProtocolRig asked =
      ClientProtocolRig.with(ClientProtocolQuirks.USUAL, ClientProtocolPermissions.ASKED);
  private final ClientProtocolRig alone =
      ClientProtocolRig.with(ClientProtocolQuirks.USUAL, ClientProtocolPermissions.NONE);

  @Test
  void offersNeitherFilesNorTerminals() throws Exception {
    JsonNode said = PlayedTalk.written(asked.open()).getFirst();

    assertEquals("initialize", said.path("method").asText());
    assertEquals(1, said.at("/params/protocolVersion").asInt());
    assertEquals(
        PlayedTalk.json("{'fs':{'readTextFile':false,'writeTextFile':false},'terminal':false}"),
        said.at("/params/clientCapabilities"));
  }

  @Test
  void opensASessionAndHandsThePromptOver() throws Exception {
    asked.open();
    JsonNode opening = PlayedTalk.written(asked.answer(ClientProtocolRig.AGREED)).getFirst();
    List<Effect> opened = asked.answer(ClientProtocolRig.OPENED);

    assertEquals("session/new", opening.path("method").asText());
    assertEquals("/work", opening.at("/params/cwd").asText());
    assertEquals(List.of(new RunEvent.SessionUpdated("s-1")), PlayedTalk.told(opened));
    JsonNode prompt = PlayedTalk.written(opened).getFirst();
    assertEquals("session/prompt", prompt.path("method").asText());
    assertEquals("do it", prompt.at("/params/prompt/0/text").asText());
  }

  @Test
  void endsOnceThePromptIsAnswered() {
    asked.prompted();

    assertEquals(new Effect.Close(), asked.ends("end_turn").getLast());
    assertEquals(Optional.empty(), asked.talk().end(CLEAN, "").failure());
  }

  @Test
  void endsWithAnAgentThatSpeaksAnotherVersion() {
    asked.open();

    assertEquals(new Effect.Close(), asked.answer("{'protocolVersion':2}").getLast());
    assertEquals("protocol_version", failure(asked).code());
  }

  @Test
  void asksBeforeAToolIsUsed() throws Exception {
    asked.prompted();
    List<Effect> moves = asked.asks("7", ClientProtocolRig.SHELL, ClientProtocolRig.OPTIONS);

    Question question = assertInstanceOf(Effect.Ask.class, moves.getLast()).question();
    assertEquals(ActionType.PERMISSION, question.actionType());
    assertEquals("Agent asks to use execute: touch a", question.prompt());
    assertEquals(List.of("Always", "Once", "No"), question.choices());
    assertInstanceOf(RunEvent.ToolStarted.class, PlayedTalk.told(moves).getFirst());
    assertEquals("c-1", question.toolCallId());
    assertEquals(List.of(), PlayedTalk.written(moves));
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
    Question question =
        question(asked.asks("'r-7'", ClientProtocolRig.SHELL, ClientProtocolRig.OPTIONS));
    AgentInput.Decided decided = Talking.decided(question, decision, text, 7);

    List<Effect.Prompt> moves = asked.talk().input(decided);

    assertEquals(new Effect.Took(decided), moves.getFirst());
    JsonNode answer = PlayedTalk.written(moves).getFirst();
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
                "7",
                ClientProtocolRig.SHELL,
                "[{'optionId':'o-1','name':'Once','kind':'allow_once'}]"));

    List<JsonNode> said =
        PlayedTalk.written(
            asked.talk().input(Talking.decided(question, ActionDecision.DENY, null, 7)));

    assertEquals(
        PlayedTalk.json("{'outcome':{'outcome':'cancelled'}}"), said.getFirst().path("result"));
  }

  @Test
  void refusesAtOnceWhereNobodyIsAsked() throws Exception {
    alone.prompted();
    List<Effect> moves = alone.asks("7", ClientProtocolRig.SHELL, ClientProtocolRig.OPTIONS);

    assertEquals(
        "o-3", PlayedTalk.written(moves).getFirst().at("/result/outcome/optionId").asText());
    assertEquals(
        ClientProtocolTurn.REFUSED_CODE,
        assertInstanceOf(RunEvent.RuntimeWarning.class, PlayedTalk.told(moves).getLast()).code());
    assertTrue(moves.stream().noneMatch(Effect.Ask.class::isInstance));
  }

  @ParameterizedTest
  @CsvSource({"EDITS,edit,o-1", "EDITS,execute,o-3", "ALL,execute,o-1", "NONE,edit,o-3"})
  void permitsWhatTheRunPermitsInAdvance(
      ClientProtocolPermissions permissions, String kind, String option) throws Exception {
    ClientProtocolRig rig =
        ClientProtocolRig.with(ClientProtocolQuirks.USUAL, permissions).prompted();

    List<Effect> moves =
        rig.asks(
            "7",
            "{'toolCallId':'c-1','kind':'" + kind + "','title':'it'}",
            ClientProtocolRig.OPTIONS);

    assertEquals(
        option, PlayedTalk.written(moves).getFirst().at("/result/outcome/optionId").asText());
  }

  @Test
  void answersRequestsItDoesNotKnow() throws Exception {
    asked.prompted();

    JsonNode said =
        PlayedTalk.written(
                asked.line("{'id':'x','method':'fs/read_text_file','params':{'path':'/a'}}"))
            .getFirst();

    assertEquals("x", said.path("id").asText());
    assertEquals(-32601, said.at("/error/code").asInt());
  }

  @Test
  void handsAMessageOnToAnAgentThatQueues() throws Exception {
    ClientProtocolRig rig =
        ClientProtocolRig.with(QUEUEING, ClientProtocolPermissions.ASKED).prompted();
    AgentInput.Said message = Talking.said("and that", 5);

    List<Effect.Prompt> moves = rig.talk().input(message);

    assertEquals(new Effect.Took(message), moves.getFirst());
    assertEquals(
        "and that", PlayedTalk.written(moves).getFirst().at("/params/prompt/0/text").asText());
    assertTrue(rig.ends("end_turn").stream().noneMatch(Effect.Close.class::isInstance));
    assertEquals(new Effect.Close(), rig.ends("end_turn").getLast());
  }

  @Test
  void keepsAMessageUntilTheSessionIsOpen() throws Exception {
    ClientProtocolRig rig = ClientProtocolRig.with(QUEUEING, ClientProtocolPermissions.ASKED);
    rig.open();
    AgentInput.Said message = Talking.said("and that", 5);

    assertEquals(List.of(), rig.talk().input(message));
    rig.answer(ClientProtocolRig.AGREED);
    List<JsonNode> said = PlayedTalk.written(rig.answer(ClientProtocolRig.OPENED));

    assertEquals("do it", said.get(0).at("/params/prompt/0/text").asText());
    assertEquals("and that", said.get(1).at("/params/prompt/0/text").asText());
  }

  @Test
  void refusesAMessageToAnAgentThatTakesNone() {
    asked.prompted();
    AgentInput.Said message = Talking.said("and that", 5);

    assertInstanceOf(Effect.Refuse.class, asked.talk().input(message).getFirst());
  }

  @Test
  void cancelsTheTurn() throws Exception {
    asked.prompted();

    List<JsonNode> said = PlayedTalk.written(asked.talk().stop());

    assertEquals("session/cancel", said.get(0).path("method").asText());
    assertEquals("s-1", said.get(0).at("/params/sessionId").asText());
    assertEquals(new Effect.Close(), asked.ends("cancelled").getLast());
  }

  @Test
  void leavesTheConversationAsItStandsWhileItWaitsForAPerson() throws Exception {
    asked.prompted();
    asked.asks("7", ClientProtocolRig.SHELL, ClientProtocolRig.OPTIONS);

    assertEquals(List.of(), asked.talk().stop());
    assertEquals(List.of(), asked.asks("8", ClientProtocolRig.SHELL, ClientProtocolRig.OPTIONS));
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

    List<Effect> moves = asked.asks("7", ClientProtocolRig.SHELL, ClientProtocolRig.OPTIONS);

    assertEquals(
        "cancelled", PlayedTalk.written(moves).getFirst().at("/result/outcome/outcome").asText());
  }

  @Test
  void handsBackADecisionOnWhatIsNotAskedAnyMore() {
    asked.prompted();
    Question question =
        question(asked.asks("7", ClientProtocolRig.SHELL, ClientProtocolRig.OPTIONS));
    AgentInput.Decided decided = Talking.decided(question, ActionDecision.APPROVE, null, 7);
    asked.line("{'method':'$/cancel_request','params':{'requestId':7}}");

    assertEquals(List.of(), asked.talk().input(decided));
    assertTrue(
        asked.ends("end_turn").contains(new Effect.Refuse(decided, "the agent did not ask again")));
  }

  @Test
  void continuesAnOldSession() throws Exception {
    ClientProtocolRig rig = resuming(false);
    rig.open();

    JsonNode opening =
        PlayedTalk.written(
                rig.answer(
                    "{'protocolVersion':1,'agentCapabilities':{'loadSession':true,"
                        + "'sessionCapabilities':{'resume':{}}}}"))
            .getFirst();

    assertEquals("session/resume", opening.path("method").asText());
    assertEquals("old", opening.at("/params/sessionId").asText());
    assertEquals(
        "old", PlayedTalk.written(rig.answer("{}")).getFirst().at("/params/sessionId").asText());
  }

  @Test
  void ignoresWhatAnOldSessionRepeats() throws Exception {
    ClientProtocolRig rig = resuming(false);
    rig.open();
    JsonNode opening =
        PlayedTalk.written(
                rig.answer("{'protocolVersion':1,'agentCapabilities':{'loadSession':true}}"))
            .getFirst();

    assertEquals("session/load", opening.path("method").asText());
    assertEquals(List.of(), rig.says("said before"));
    assertEquals(
        "do it",
        PlayedTalk.written(rig.answer("{}")).getFirst().at("/params/prompt/0/text").asText());
  }

  @Test
  void doesNotRepeatAPromptTheOldSessionHolds() throws Exception {
    ClientProtocolRig rig = resuming(true);
    rig.open();
    rig.answer("{'protocolVersion':1,'agentCapabilities':{'loadSession':true}}");
    rig.update("{'sessionUpdate':'user_message_chunk','content':{'type':'text','text':'do it'}}");

    assertEquals(
        AgentPrompt.GO_ON,
        PlayedTalk.written(rig.answer("null")).getFirst().at("/params/prompt/0/text").asText());
  }

  @Test
  void failsWhereTheOldSessionIsGone() {
    ClientProtocolRig rig = resuming(false);
    rig.open();
    rig.answer("{'protocolVersion':1,'agentCapabilities':{'loadSession':true}}");

    assertEquals(new Effect.Close(), rig.fail("{'code':-32603,'message':'No'}").getLast());
    assertEquals("session_not_found", failure(rig).code());
  }

  @Test
  void failsWhereTheAgentCannotContinue() {
    ClientProtocolRig rig = resuming(false);
    rig.open();

    rig.answer(ClientProtocolRig.AGREED);

    assertEquals("session_not_found", failure(rig).code());
  }

  private static ClientProtocolRig resuming(boolean continues) {
    return ClientProtocolRig.with(
        ClientProtocolQuirks.USUAL,
        ClientProtocolPermissions.ASKED,
        new SessionChoice.ById("old", false),
        continues,
        Interactions.EMPTY);
  }

  private static Question question(List<Effect> moves) {
    return assertInstanceOf(Effect.Ask.class, moves.getLast()).question();
  }

  private static Failure failure(ClientProtocolRig rig) {
    return rig.talk().end(CLEAN, "").failure().orElseThrow();
  }
}
