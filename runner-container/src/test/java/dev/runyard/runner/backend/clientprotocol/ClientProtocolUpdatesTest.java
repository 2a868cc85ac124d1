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
  private final ClientProtocolBench bench =
      ClientProtocolBench.with(ClientProtocolQuirks.USUAL, ClientProtocolPermissions.NONE)
          .prompted();

  @Test
  void makesOneMessageOfItsPieces() {
    bench.says("Hel");
    bench.says("lo");
    bench.ends("end_turn");

    assertEquals(
        List.of(
            new RunEvent.ModelDelta("Hel"),
            new RunEvent.ModelDelta("lo"),
            new RunEvent.ModelCompleted()),
        bench.told());
  }

  @Test
  void tellsThoughtsApartFromTheAnswer() {
    bench.says("Let me see.");
    bench.update("{'sessionUpdate':'agent_thought_chunk','content':{'type':'text','text':'Hm'}}");

    assertEquals(
        List.of(
            new RunEvent.ModelDelta("Let me see."),
            new RunEvent.ModelCompleted(),
            new RunEvent.ReasoningDelta("Hm")),
        bench.told());
  }

  /// Agents describe in the same place what a tool is to do.
  @Test
  void takesNothingForOutputBeforeAToolBegan() {
    bench.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'ls','kind':'execute',"
            + "'status':'pending','content':[{'type':'content','content':"
            + "{'type':'text','text':'in /work'}}]}");
    bench.update("{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed'}");

    assertEquals(
        new RunEvent.ToolResult("a/c-1", "execute", "tool_use", null, null, 0),
        bench.told().getLast());
  }

  @Test
  void forgetsContentThatIsTakenBack() {
    bench.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'ls','kind':'execute',"
            + "'status':'in_progress','content':[{'type':'content','content':"
            + "{'type':'text','text':'in /work'}}]}");
    bench.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed',"
            + "'content':[]}");

    assertEquals(
        new RunEvent.ToolResult("a/c-1", "execute", "tool_use", null, null, 0),
        bench.told().getLast());
  }

  @Test
  void leavesOutWhatIsNoCountOfTheTurn() {
    ClientProtocolBench uncounted =
        ClientProtocolBench.with(
                ClientProtocolQuirks.USUAL.uncounted(), ClientProtocolPermissions.NONE)
            .prompted();
    uncounted.answer("{'stopReason':'end_turn','usage':{'inputTokens':10,'outputTokens':4}}");

    assertEquals(List.of(), uncounted.told());
  }

  @Test
  void followsAToolToItsEnd() {
    bench.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'Terminal','kind':'execute',"
            + "'status':'pending','rawInput':{}}");
    bench.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'in_progress',"
            + "'rawInput':{'command':'ls'}}");
    bench.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'in_progress',"
            + "'rawInput':{'command':'ls'}}");
    bench.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed',"
            + "'rawOutput':{'output':'a\\nb','metadata':{'exit':0}}}");

    assertEquals(
        List.of(
            new RunEvent.ToolStarted("a/c-1", "execute", "tool_use", "{\"title\":\"Terminal\"}"),
            new RunEvent.ToolProgress("a/c-1", "execute", "tool_use", "{\"command\":\"ls\"}"),
            new RunEvent.ToolProgress("a/c-1", "execute", "tool_use", null),
            new RunEvent.ToolResult("a/c-1", "execute", "tool_use", 0, "a\nb", 3)),
        bench.told());
  }

  @Test
  void tellsWhatAFailedToolSaidBefore() {
    bench.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'Write','kind':'edit',"
            + "'content':[{'type':'content','content':{'type':'text','text':'no room'}}]}");
    bench.update("{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'failed'}");

    assertEquals(
        new RunEvent.ToolFailed("a/c-1", "edit", "tool_use", null, "no room", 7),
        bench.told().getLast());
  }

  @Test
  void namesTheFilesAToolChanged() {
    bench.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'Write','kind':'edit',"
            + "'status':'completed','content':[{'type':'diff','path':'/w/a','newText':'x'},"
            + "{'type':'diff','path':'/w/b','oldText':'x','newText':'y'}]}");

    assertEquals(
        List.of(
            new RunEvent.ToolResult(
                "a/c-1", "edit", "tool_use", null, "changed /w/a\nchanged /w/b", 25),
            new RunEvent.ArtifactChanged("a/c-1", "/w/a", FileChange.CREATED),
            new RunEvent.ArtifactChanged("a/c-1", "/w/b", FileChange.MODIFIED)),
        bench.told().subList(1, 4));
  }

  @Test
  void knowsFilesByWhereAToolWorkedAndWhoDoesNotSayWhetherTheyWereThere() {
    bench.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'rm','kind':'delete',"
            + "'locations':[{'path':'/w/a'}]}");
    bench.update("{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed'}");
    bench.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-2','title':'Write','kind':'edit',"
            + "'_meta':{'claudeCode':{'toolName':'Write'}},'status':'completed',"
            + "'content':[{'type':'diff','path':'b','oldText':null,'newText':'x'}]}");
    bench.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-3','title':'cat','kind':'read',"
            + "'locations':[{'path':'/w/c'}],'status':'completed'}");
    bench.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-4','title':'rm','kind':'delete',"
            + "'locations':[{'path':'/w/d'}],'status':'failed'}");

    assertEquals(
        List.of(
            new RunEvent.ArtifactChanged("a/c-1", "/w/a", FileChange.DELETED),
            new RunEvent.ArtifactChanged("a/c-2", "b", null)),
        bench.told().stream().filter(RunEvent.ArtifactChanged.class::isInstance).toList());
  }

  @Test
  void endsToolsThatReportNoEnd() {
    bench.update("{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'Write'}");

    assertTrue(
        bench.talk().end(new Attempt.Exit(1, null), "").last().stream()
            .anyMatch(RunEvent.ToolFailed.class::isInstance));
  }

  @Test
  void tellsThePlanWheneverItChanges() {
    bench.update(
        "{'sessionUpdate':'plan','entries':[{'content':'look','status':'completed'},"
            + "{'content':'think\\nhard','status':'in_progress'},{'content':'act'}]}");

    assertEquals(
        List.of(
            new RunEvent.TaskProgress(
                List.of(
                    new PlanEntry("look", PlanEntry.Status.COMPLETED),
                    new PlanEntry("think\nhard", PlanEntry.Status.IN_PROGRESS),
                    new PlanEntry("act", PlanEntry.Status.PENDING)))),
        bench.told());
  }

  @Test
  void tellsThePlanAToolStates() {
    bench.update(
        "{'sessionUpdate':'tool_call','toolCallId':'c-1','title':'todowrite','kind':'other',"
            + "'status':'pending','rawInput':{}}");
    bench.update(
        "{'sessionUpdate':'tool_call_update','toolCallId':'c-1','status':'completed',"
            + "'rawInput':{'todos':[{'content':'look','status':'pending'}]}}");

    assertEquals(
        new RunEvent.TaskProgress(List.of(new PlanEntry("look", PlanEntry.Status.PENDING))),
        bench.told().getLast());
  }

  @Test
  void countsWhatATurnUsed() {
    bench.update(
        "{'sessionUpdate':'usage_update','used':5,'cost':{'amount':0.5,'currency':'USD'}}");
    bench.answer(
        "{'stopReason':'end_turn','usage':{'inputTokens':10,'outputTokens':4,"
            + "'cachedReadTokens':3,'cachedWriteTokens':2,'totalTokens':19}}");

    assertEquals(
        List.of(new RunEvent.CostRecorded(new Usage(15, 3, 2, 4, 0, 0.5, 0), null)), bench.told());
  }

  @Test
  void addsUpCallsOfTheModelWhereTheTurnIsNotCounted() {
    for (int call = 0; call < 2; call++) {
      bench.update(
          "{'sessionUpdate':'agent_message_chunk','content':{'type':'text','text':''},"
              + "'_meta':{'usage':{'inputTokens':10,'outputTokens':4,'thoughtTokens':1,"
              + "'totalTokens':14}}}");
    }
    bench.ends("end_turn");

    assertEquals(
        List.of(new RunEvent.CostRecorded(new Usage(20, 0, 8, 2, null), null)), bench.told());
  }

  @Test
  void warnsOnceOfUpdatesItDoesNotKnow() {
    bench.update("{'sessionUpdate':'new_thing'}");
    bench.update("{'sessionUpdate':'new_thing'}");
    bench.update("{'sessionUpdate':'available_commands_update','availableCommands':[]}");

    assertEquals(1, bench.told().size());
    assertTrue(bench.told().getFirst() instanceof RunEvent.RuntimeWarning);
  }

  @Test
  void storesNothingOfALineThatIsNoMessage() {
    bench.line("Listening on secret-host");
    bench.line("{'neither':'request nor answer'}");

    assertEquals(1, bench.told().size());
    assertTrue(bench.told().stream().noneMatch(event -> event.toString().contains("secret")));
  }
}
