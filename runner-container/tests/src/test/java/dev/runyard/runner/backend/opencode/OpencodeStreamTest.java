package dev.runyard.runner.backend.opencode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.PlanEntry;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OpencodeStreamTest {
  private static final Attempt.Exit CLEAN = new Attempt.Exit(0, null);
  private final OpencodeStream stream = new OpencodeStream("a/", "m");

  @Test
  void mapsAStepOfTheRealProgram() {
    assertEquals(
        List.of(
            new RunEvent.SessionUpdated("s-1"),
            new RunEvent.RunStatus("step started"),
            new RunEvent.ToolStarted("a/c", "bash", "tool_use", "{\"command\":\"ls\"}"),
            new RunEvent.ToolResult("a/c", "bash", "tool_use", null, "out", 3),
            new RunEvent.ModelDelta("OK"),
            new RunEvent.ModelCompleted(),
            new RunEvent.CostRecorded(new Usage(17, 5, 2, 9, 2, 0.5, 1), "m"),
            new RunEvent.RunStatus("step finished")),
        lines(
            "{'type':'step_start','sessionID':'s-1','part':{}}",
            "{'type':'tool_use','sessionID':'s-1','part':{'callID':'c','tool':'bash','state':"
                + "{'status':'completed','input':{'command':'ls'},'output':'out'}}}",
            "{'type':'text','sessionID':'s-1','part':{'text':'OK'}}",
            "{'type':'step_finish','sessionID':'s-1','part':{'cost':0.5,'tokens':{'input':10,"
                + "'output':7,'reasoning':2,'cache':{'read':5,'write':2}}}}"));
    assertEquals(Optional.empty(), stream.end(CLEAN, "").failure());
  }

  @Test
  void reportsFilesAndPlansByWhatItsToolsSay() {
    assertEquals(
        List.of(
            new RunEvent.ArtifactChanged("a/c1", "/w/a", FileChange.CREATED),
            new RunEvent.ArtifactChanged("a/c2", "/w/a", FileChange.MODIFIED),
            new RunEvent.ArtifactChanged("a/c3", "a", FileChange.MODIFIED),
            new RunEvent.ArtifactChanged("a/c4", "/w/b", FileChange.CREATED),
            new RunEvent.ArtifactChanged("a/c4", "/w/a", FileChange.DELETED),
            new RunEvent.TaskProgress(List.of(new PlanEntry("look", PlanEntry.Status.COMPLETED)))),
        facts(
            tool("c1", "write", "{'filePath':'a'}", "{'filepath':'/w/a','exists':false}"),
            tool("c2", "write", "{'filePath':'a'}", "{'filepath':'/w/a','exists':true}"),
            tool("c3", "edit", "{'filePath':'a','oldString':'x'}", "{'diff':''}"),
            tool(
                "c4",
                "apply_patch",
                "{'patchText':''}",
                "{'files':[{'filePath':'/w/b','type':'add'},{'filePath':'/w/a','type':'delete'}]}"),
            tool(
                "c5",
                "todowrite",
                "{'todos':[{'content':'look','status':'completed','priority':'high'}]}",
                "{}")));
  }

  private List<RunEvent> facts(String... lines) {
    return lines(lines).stream()
        .filter(
            event ->
                event instanceof RunEvent.ArtifactChanged || event instanceof RunEvent.TaskProgress)
        .toList();
  }

  private static String tool(String id, String name, String input, String metadata) {
    return """
    {'type':'tool_use','part':{'tool':'%s','callID':'%s','state':{'status':'completed',\
    'input':%s,'output':'Done.','metadata':%s}}}\
    """
        .formatted(name, id, input, metadata);
  }

  @Test
  void mapsTheFlatFormToo() {
    assertEquals(
        List.of(
            new RunEvent.SessionUpdated("s-1"),
            new RunEvent.ModelDelta("OK"),
            new RunEvent.ModelCompleted()),
        lines("{'type':'text','session_id':'s-1','text':'OK'}"));
  }

  @Test
  void failsByAnErrorWithoutQuotingIt() {
    List<RunEvent> events = lines("{'type':'error','error':{'message':'s3cret'}}");

    assertFalse(events.toString().contains("s3cret"));
    assertEquals(Optional.of("agent_failed"), code());
  }

  @Test
  void doubtsASuccessWithoutAWord() {
    assertEquals(1, lines("{'type':'tool_call','tool':'shell'}").size());
    assertEquals(Optional.of("no_output"), code());
    assertEquals(1, lines("{'type':'text'}").size());
    lines("{'type':'step_start'}", "{'type':'step_finish','part':{'reason':'tool-calls'}}");
    assertEquals(Optional.of("agent_failed"), code());
  }

  @Test
  void distinguishesKeyModelAndProvider() {
    lines("{'type':'error','error':{'name':'APIError','data':{'message':'x','statusCode':401}}}");
    assertEquals(Optional.of("key_refused"), code());
    lines("{'type':'error','error':{'name':'ProviderModelNotFoundError','data':{}}}");
    assertEquals(Optional.of("no_such_model"), code());
    lines("{'type':'error','error':{'name':'APIError','data':{'message':'x','statusCode':503}}}");
    assertEquals(Optional.of("model_unavailable"), code());
  }

  private Optional<String> code() {
    return stream.end(CLEAN, "").failure().map(Failure::code);
  }

  private List<RunEvent> lines(String... lines) {
    return List.of(lines).stream()
        .flatMap(line -> stream.line(line.replace('\'', '"')).stream())
        .toList();
  }
}
