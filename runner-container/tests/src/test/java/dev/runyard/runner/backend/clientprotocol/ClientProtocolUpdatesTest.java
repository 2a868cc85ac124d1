package dev.runyard.runner.backend.clientprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.PlanEntry;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClientProtocolUpdatesTest {
  private final ClientProtocolRig rig =
      ClientProtocolRig.with(ClientProtocolQuirks.USUAL, ClientProtocolPermissions.NONE).prompted();

  @Test
  void makesOneMessageOfItsPieces() {
    rig.says("Hel");
    rig.says("lo");
    rig.ends("end_turn");

    assertEquals(
        List.of(
            new RunEvent.ModelDelta("Hel"),
            new RunEvent.ModelDelta("lo"),
            new RunEvent.ModelCompleted()),
        rig.told());
  }

  @Test
  void separatesThoughtsFromTheAnswer() {
    rig.says("Let me see.");
    rig.update("{'sessionUpdate':'agent_thought_chunk','content':{'type':'text','text':'Hm'}}");

    assertEquals(
        List.of(
            new RunEvent.ModelDelta("Let me see."),
            new RunEvent.ModelCompleted(),
            new RunEvent.ReasoningDelta("Hm")),
        rig.told());
  }

  /// Agents describe in the same place what a tool will do.
  @Test
  void takesNothingForOutputBeforeAToolBegan() {
    rig.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'ls','kind':'execute',"
            + "'status':'pending','content':[{'type':'content','content':"
            + "{'type':'text','text':'in /work'}}]}");
    rig.update("{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed'}");

    assertEquals(
        new RunEvent.ToolResult("a/c-1", "execute", "tool_use", null, null, 0),
        rig.told().getLast());
  }

  @Test
  void forgetsContentThatIsTakenBack() {
    rig.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'ls','kind':'execute',"
            + "'status':'in_progress','content':[{'type':'content','content':"
            + "{'type':'text','text':'in /work'}}]}");
    rig.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed',"
            + "'content':[]}");

    assertEquals(
        new RunEvent.ToolResult("a/c-1", "execute", "tool_use", null, null, 0),
        rig.told().getLast());
  }

  @Test
  void leavesOutWhatIsNoCountOfTheTurn() {
    ClientProtocolRig uncounted =
        ClientProtocolRig.with(
                ClientProtocolQuirks.USUAL.uncounted(), ClientProtocolPermissions.NONE)
            .prompted();
    uncounted.answer("{'stopReason':'end_turn','usage':{'inputTokens':10,'outputTokens':4}}");

    assertEquals(List.of(), uncounted.told());
  }

  @Test
  void followsAToolToItsEnd() {
    rig.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'Terminal','kind':'execute',"
            + "'status':'pending','rawInput':{}}");
    rig.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'in_progress',"
            + "'rawInput':{'command':'ls'}}");
    rig.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'in_progress',"
            + "'rawInput':{'command':'ls'}}");
    rig.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed',"
            + "'rawOutput':{'output':'a\\nb','metadata':{'exit':0}}}");

    assertEquals(
        List.of(
            new RunEvent.ToolStarted("a/c-1", "execute", "tool_use", "{\"title\":\"Terminal\"}"),
            new RunEvent.ToolProgress("a/c-1", "execute", "tool_use", "{\"command\":\"ls\"}", null),
            new RunEvent.ToolProgress("a/c-1", "execute", "tool_use", null, null),
            new RunEvent.ToolResult("a/c-1", "execute", "tool_use", 0, "a\nb", 3)),
        rig.told());
  }

  @Test
  void reportsWhatAFailedToolSaidBefore() {
    rig.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'Write','kind':'edit',"
            + "'content':[{'type':'content','content':{'type':'text','text':'no room'}}]}");
    rig.update("{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'failed'}");

    assertEquals(
        new RunEvent.ToolFailed("a/c-1", "edit", "tool_use", null, "no room", 7),
        rig.told().getLast());
  }

  @Test
  void namesTheFilesAToolChanged() {
    rig.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'Write','kind':'edit',"
            + "'status':'completed','content':[{'type':'diff','path':'/w/a','newText':'x'},"
            + "{'type':'diff','path':'/w/b','oldText':'x','newText':'y'}]}");

    assertEquals(
        List.of(
            new RunEvent.ToolResult(
                "a/c-1", "edit", "tool_use", null, "changed /w/a\nchanged /w/b", 25),
            new RunEvent.ArtifactChanged("a/c-1", "/w/a", FileChange.CREATED),
            new RunEvent.ArtifactChanged("a/c-1", "/w/b", FileChange.MODIFIED)),
        rig.told().subList(1, 4));
  }

  @Test
  void knowsFilesByWhereAToolWorkedAndWhoDoesNotSayWhetherTheyWereThere() {
    rig.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'rm','kind':'delete',"
            + "'locations':[{'path':'/w/a'}]}");
    rig.update("{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed'}");
    rig.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-2','title':'Write','kind':'edit',"
            + "'_meta':{'claudeCode':{'toolName':'Write'}},'status':'completed',"
            + "'content':[{'type':'diff','path':'b','oldText':null,'newText':'x'}]}");
    rig.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-3','title':'cat','kind':'read',"
            + "'locations':[{'path':'/w/c'}],'status':'completed'}");
    rig.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-4','title':'rm','kind':'delete',"
            + "'locations':[{'path':'/w/d'}],'status':'failed'}");

    assertEquals(
        List.of(
            new RunEvent.ArtifactChanged("a/c-1", "/w/a", FileChange.DELETED),
            new RunEvent.ArtifactChanged("a/c-2", "b", null)),
        rig.told().stream().filter(RunEvent.ArtifactChanged.class::isInstance).toList());
  }

  @Test
  void endsToolsThatReportNoEnd() {
    rig.update("{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'Write'}");

    assertTrue(
        rig.talk().end(new Attempt.Exit(1, null), "").last().stream()
            .anyMatch(RunEvent.ToolFailed.class::isInstance));
  }

  @Test
  void reportsThePlanWheneverItChanges() {
    rig.update(
        "{'sessionUpdate':'plan','entries':[{'content':'look','status':'completed'},"
            + "{'content':'think\\nhard','status':'in_progress'},{'content':'act'}]}");

    assertEquals(
        List.of(
            new RunEvent.TaskProgress(
                List.of(
                    new PlanEntry("look", PlanEntry.Status.COMPLETED),
                    new PlanEntry("think\nhard", PlanEntry.Status.IN_PROGRESS),
                    new PlanEntry("act", PlanEntry.Status.PENDING)))),
        rig.told());
  }

  @Test
  void reportsThePlanAToolStates() {
    rig.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'todowrite','kind':'other',"
            + "'status':'pending','rawInput':{}}");
    rig.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed',"
            + "'rawInput':{'todos':[{'content':'look','status':'pending'}]}}");

    assertEquals(
        new RunEvent.TaskProgress(List.of(new PlanEntry("look", PlanEntry.Status.PENDING))),
        rig.told().getLast());
  }

  @Test
  void countsWhatATurnUsed() {
    rig.update("{'sessionUpdate':'usage_update','used':5,'cost':{'amount':0.5,'currency':'USD'}}");
    rig.answer(
        "{'stopReason':'end_turn','usage':{'inputTokens':10,'outputTokens':4,"
            + "'cachedReadTokens':3,'cachedWriteTokens':2,'totalTokens':19}}");

    assertEquals(
        List.of(new RunEvent.CostRecorded(new Usage(15, 3, 2, 4, 0, 0.5, 0), null)), rig.told());
  }

  @Test
  void addsUpCallsOfTheModelWhereTheTurnIsNotCounted() {
    for (int call = 0; call < 2; call++) {
      rig.update(
          "{'sessionUpdate':'agent_message_chunk','content':{'type':'text','text':''},"
              + "'_meta':{'usage':{'inputTokens':10,'outputTokens':4,'thoughtTokens':1,"
              + "'totalTokens':14}}}");
    }
    rig.ends("end_turn");

    assertEquals(
        List.of(new RunEvent.CostRecorded(new Usage(20, 0, 8, 2, null), null)), rig.told());
  }

  @Test
  void warnsOnceOfUpdatesItDoesNotKnow() {
    rig.update("{'sessionUpdate':'new_thing'}");
    rig.update("{'sessionUpdate':'new_thing'}");
    rig.update("{'sessionUpdate':'available_commands_update','availableCommands':[]}");

    assertEquals(1, rig.told().size());
    assertTrue(rig.told().getFirst() instanceof RunEvent.RuntimeWarning);
  }

  @Test
  void storesNothingOfALineThatIsNoMessage() {
    rig.line("Listening on secret-host");
    rig.line("{'neither':'request nor answer'}");

    assertEquals(1, rig.told().size());
    assertTrue(rig.told().stream().noneMatch(event -> event.toString().contains("secret")));
  }
}
