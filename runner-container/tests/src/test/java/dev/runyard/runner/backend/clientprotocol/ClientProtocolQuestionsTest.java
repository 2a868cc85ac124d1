package dev.runyard.runner.backend.clientprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.PlayedTalk;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.Talking;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What people are asked, whichever of its messages on a call an agent sends first.
final class ClientProtocolQuestionsTest {
  private static final String EDIT =
      "{'toolCallId':'%s','title':'Edit a','kind':'edit',"
          + "'content':[{'type':'diff','path':'a','oldText':'x','newText':'%s'}]}";

  private final ClientProtocolRig asked =
      ClientProtocolRig.with(ClientProtocolQuirks.USUAL, ClientProtocolPermissions.ASKED)
          .prompted();

  @Test
  void recognisesWhatItAskedBeforeItToldOfTheCall() throws Exception {
    Question question = question("7", ClientProtocolRig.SHELL);
    AgentInput.Decided decided = Talking.decided(question, ActionDecision.APPROVE, null, 7);
    ClientProtocolRig rig =
        ClientProtocolRig.with(
            ClientProtocolQuirks.USUAL,
            ClientProtocolPermissions.ASKED,
            new SessionChoice.ById("old", false),
            true,
            PlayedTalk.after(decided));
    rig.open();
    rig.answer("{'protocolVersion':1,'agentCapabilities':{'loadSession':true}}");
    rig.answer("null");
    rig.talk().input(decided);
    rig.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'Terminal','kind':'execute',"
            + "'_meta':{'claudeCode':{'toolName':'Bash'}}}");

    List<Effect> moves = rig.asks("8", ClientProtocolRig.SHELL, ClientProtocolRig.OPTIONS);

    assertTrue(moves.contains(new Effect.Took(decided)));
    assertEquals(
        "o-1", PlayedTalk.written(moves).getFirst().at("/result/outcome/optionId").asText());
  }

  @Test
  void showsWhatWasToldBeforeWhereTheRequestNamesTheCallAlone() {
    told("c-1", "touch a");
    told("c-2", "rm a");

    Question first = question("7", "{'toolCallId':'c-1'}");
    Question second = question("8", "{'toolCallId':'c-2'}");

    assertEquals("Agent asks to use execute: touch a", first.prompt());
    assertEquals("touch a", payload(first).at("/input/command").asText());
    assertEquals("Agent asks to use execute: rm a", second.prompt());
    assertNotEquals(payload(first).path("print"), payload(second).path("print"));
  }

  @Test
  void tellsToolsOfTheSameInputApartWhereOnlyWhatWasToldBeforeNamesThem() {
    asked.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','kind':'read','rawInput':{'path':'a'}}");
    asked.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-2','kind':'delete','rawInput':{'path':'a'}}");

    Question first = question("7", "{'toolCallId':'c-1','rawInput':{'path':'a'}}");
    Question second = question("8", "{'toolCallId':'c-2','rawInput':{'path':'a'}}");

    assertNotEquals(payload(first).path("print"), payload(second).path("print"));
  }

  @Test
  void tellsEditsOfOneTitleApart() {
    Question first = question("7", EDIT.formatted("c-1", "y"));
    Question second = question("8", EDIT.formatted("c-2", "z"));

    assertNotEquals(payload(first).path("print"), payload(second).path("print"));
    assertEquals("y", payload(first).at("/input/content/0/newText").asText());
  }

  @Test
  void saysOfNoFileThatItIsNewWhereTheAgentDoesNotKnow() {
    asked.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'Write b','kind':'edit',"
            + "'_meta':{'claudeCode':{'toolName':'Write'}},"
            + "'content':[{'type':'diff','path':'b','oldText':null,'newText':'x'}]}");
    question(
        "7",
        "{'toolCallId':'c-1','title':'Write b','kind':'edit','rawInput':{'file_path':'b'},"
            + "'content':[{'type':'diff','path':'b','oldText':null,'newText':'x'}]}");
    asked.update("{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed'}");

    assertEquals(
        List.of(new RunEvent.ArtifactChanged("a/c-1", "b", null)),
        asked.told().stream().filter(RunEvent.ArtifactChanged.class::isInstance).toList());
  }

  @Test
  void tellsCallsOfOneTitleApartByWhatWasToldBefore() {
    told("c-1", "touch a");
    told("c-2", "rm a");

    Question first = question("7", "{'toolCallId':'c-1','title':'Terminal'}");
    Question second = question("8", "{'toolCallId':'c-2','title':null,'rawInput':{}}");

    assertEquals("touch a", payload(first).at("/input/command").asText());
    assertEquals("rm a", payload(second).at("/input/command").asText());
  }

  @Test
  void tellsChangesOfOneInputApart() {
    String edit = EDIT.replace("'kind'", "'rawInput':{'path':'a'},'kind'");
    Question first = question("7", edit.formatted("c-1", "y"));
    Question second = question("8", edit.formatted("c-2", "z"));

    assertEquals("a", payload(first).at("/input/path").asText());
    assertEquals("y", payload(first).at("/input/diffs/0/newText").asText());
    assertNotEquals(payload(first).path("print"), payload(second).path("print"));
  }

  @Test
  void tellsCallsApartOfWhichNothingWasTold() {
    Question first = question("7", "{'toolCallId':'c-1','kind':'execute'}");
    Question second = question("8", "{'toolCallId':'c-2','kind':'execute'}");

    assertEquals("Agent asks to use execute: a/c-1", first.prompt());
    assertNotEquals(payload(first).path("print"), payload(second).path("print"));
  }

  @Test
  void showsTheInputThatWasToldBeforeBesideWordsOfTheRequest() {
    told("c-1", "touch a");

    Question question =
        question(
            "7",
            "{'toolCallId':'c-1','title':'Run','kind':'execute','content':"
                + "[{'type':'content','content':{'type':'text','text':'May it?'}}]}");

    assertEquals("touch a", payload(question).at("/input/command").asText());
  }

  @Test
  void tellsCallsApartOfWhichTooMuchWasTold() {
    String large = "x".repeat(ClientProtocolTool.OUTLINE_CHARS_MAX);
    told("c-1", large);
    told("c-2", large + "y");

    Question first = question("7", "{'toolCallId':'c-1'}");
    Question second = question("8", "{'toolCallId':'c-2'}");

    assertTrue(first.prompt().startsWith("Agent asks to use execute: xxx"), first::prompt);
    assertNotEquals(payload(first).path("print"), payload(second).path("print"));
  }

  @Test
  void showsTheInputThatWasToldLast() {
    asked.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','kind':'execute','status':'in_progress',"
            + "'rawInput':{'command':'ls'}}");
    asked.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','rawInput':{'command':'rm x'}}");

    Question question = question("7", "{'toolCallId':'c-1'}");

    assertEquals("Agent asks to use execute: rm x", question.prompt());
    assertEquals("rm x", payload(question).at("/input/command").asText());
  }

  @Test
  void showsWhatWillBeDoneAndNotWhatWasPutOut() {
    asked.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'Edit','kind':'edit',"
            + "'status':'pending','content':[{'type':'diff','path':'a','newText':'y'}]}");
    asked.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'in_progress',"
            + "'content':[{'type':'content','content':{'type':'text','text':'50 %'}}]}");

    Question question = question("7", "{'toolCallId':'c-1'}");

    assertEquals("y", payload(question).at("/input/content/0/newText").asText());
  }

  @Test
  void namesTheFilesOfAnEditThatIsTooLargeToBeShown() {
    String large = "y".repeat(CliQuestions.INPUT_BYTES_MAX);

    Question first = question("7", EDIT.formatted("c-1", large));
    Question second = question("8", EDIT.formatted("c-2", large + "z"));

    assertEquals("Edit a", payload(first).at("/input/title").asText());
    assertEquals("a", payload(first).at("/input/diffs/files/0").asText());
    assertNotEquals(payload(first).path("print"), payload(second).path("print"));
  }

  @Test
  void showsTheInputWhereItsChangesDoNotFitBesideIt() {
    String text = "y".repeat(CliQuestions.INPUT_BYTES_MAX * 3 / 4);
    String edit = EDIT.replace("'kind'", "'rawInput':{'content':'%s','files':'all'},'kind'");

    Question first = question("7", edit.formatted("c-1", text, "y" + text));
    Question second = question("8", edit.formatted("c-2", text, "z" + text));

    assertEquals(text, payload(first).at("/input/content").asText());
    assertEquals("all", payload(first).at("/input/files").asText());
    assertEquals("a", payload(first).at("/input/diffs/files/0").asText());
    assertNotEquals(payload(first).path("print"), payload(second).path("print"));
  }

  @Test
  void tellsCallsApartByAnInputThatIsNoObject() {
    Question first = question("7", "{'toolCallId':'c-1','kind':'execute','rawInput':'ls'}");
    Question second = question("8", "{'toolCallId':'c-2','kind':'execute','rawInput':['rm','x']}");

    assertEquals("ls", payload(first).at("/input/rawInput").asText());
    assertNotEquals(payload(first).path("print"), payload(second).path("print"));
  }

  @Test
  void tellsCallsApartOfWhichTooMuchWasToldBeforeTheirInput() {
    String large = "x".repeat(ClientProtocolTool.OUTLINE_CHARS_MAX);
    for (String id : List.of("c-1", "c-2")) {
      String update = "{'sessionUpdate':'tool_call'," + EDIT.formatted(id, id + large).substring(1);
      asked.update(update);
      asked.update(
          "{'sessionUpdate':'tool_call_update','toolCallId':'%s','rawInput':{'path':'a'}}"
              .formatted(id));
    }

    Question first = question("7", "{'toolCallId':'c-1'}");
    Question second = question("8", "{'toolCallId':'c-2'}");

    assertEquals("a", payload(first).at("/input/path").asText());
    assertNotEquals(payload(first).path("print"), payload(second).path("print"));
  }

  @Test
  void takesNothingThatIsAskedForOutputOfTheCall() {
    asked.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'rm','kind':'edit',"
            + "'status':'pending','locations':[{'path':'a'}],"
            + "'content':[{'type':'diff','path':'a','newText':'x'}]}");
    question(
        "7",
        "{'toolCallId':'c-1','status':null,"
            + "'content':[{'type':'content','content':{'type':'text','text':'May it?'}}]}");
    asked.update("{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed'}");

    assertEquals(
        List.of(
            new RunEvent.ToolResult("a/c-1", "edit", "tool_use", null, "changed a", 9),
            new RunEvent.ArtifactChanged("a/c-1", "a", FileChange.CREATED)),
        asked.told().subList(1, 3));
  }

  private void told(String id, String command) {
    asked.update(
        "{'sessionUpdate':'tool_call','toolCallId':'%s','title':'Terminal','kind':'execute'}"
            .formatted(id));
    asked.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'%s','rawInput':{'command':'%s'}}"
            .formatted(id, command));
  }

  private Question question(String id, String tool) {
    List<Effect> moves = asked.asks(id, tool, ClientProtocolRig.OPTIONS);
    return assertInstanceOf(Effect.Ask.class, moves.getLast()).question();
  }

  private static JsonNode payload(Question question) {
    return Objects.requireNonNull(question.payload());
  }
}
