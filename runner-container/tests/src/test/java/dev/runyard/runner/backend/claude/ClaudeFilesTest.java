package dev.runyard.runner.backend.claude;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.PlanEntry;
import dev.runyard.core.event.RunEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The lines are from Claude Code 2.1, without what does not matter here.
final class ClaudeFilesTest {
  private final ClaudeStream stream = new ClaudeStream("a/", null);

  @Test
  void reportsWhatItsToolsDidToFiles() {
    assertEquals(
        List.of(
            new RunEvent.ArtifactChanged("a/t1", "hello.txt", FileChange.CREATED),
            new RunEvent.ArtifactChanged("a/t2", "hello.txt", FileChange.MODIFIED),
            new RunEvent.ArtifactChanged("a/t3", "hello.txt", FileChange.MODIFIED)),
        facts(
            use("t1", "Write", "{'file_path':'hello.txt','content':'one'}"),
            done("t1", false, "{'type':'create','filePath':'hello.txt','originalFile':null}"),
            use("t2", "Write", "{'file_path':'hello.txt','content':'two'}"),
            done("t2", false, "{'type':'update','filePath':'hello.txt','originalFile':'one'}"),
            use("t3", "Edit", "{'file_path':'hello.txt','old_string':'two','new_string':'x'}"),
            done("t3", false, "{'filePath':'hello.txt','oldString':'two','originalFile':'two'}"),
            use("t4", "Edit", "{'file_path':'hello.txt','old_string':'9','new_string':'x'}"),
            done("t4", true, "'Error: String to replace not found in file.'"),
            use("t5", "Read", "{'file_path':'hello.txt'}"),
            done("t5", false, "{'type':'text','file':{'filePath':'hello.txt'}}")));
  }

  @Test
  void takesTheOutputTheToolItselfSaysWhereTheModelSeesLess() {
    stream.line(use("t1", "Bash", "{'command':'seq 9'}").replace('\'', '"'));
    assertEquals(
        new RunEvent.ToolResult("a/t1", "Bash", "tool_use", null, "1 2 3 4 5 6 7 8 9", 4000),
        stream
            .line(
                done(
                        "t1",
                        false,
                        "{'stdout':'1 2 3 4 5 6 7 8 9','persistedOutputPath':'/h/x.txt',"
                            + "'persistedOutputSize':4000}")
                    .replace('\'', '"'))
            .getFirst());
  }

  @Test
  void reportsThePlanAsItsTaskToolsChangeIt() {
    assertEquals(
        List.of(
            plan(step("look", PlanEntry.Status.PENDING)),
            plan(step("look", PlanEntry.Status.PENDING), step("do", PlanEntry.Status.PENDING)),
            plan(step("look", PlanEntry.Status.IN_PROGRESS), step("do", PlanEntry.Status.PENDING)),
            plan(step("look", PlanEntry.Status.IN_PROGRESS)),
            plan(step("look", PlanEntry.Status.COMPLETED))),
        facts(
            use("t1", "TaskCreate", "{'subject':'look'}"),
            done("t1", false, "{'task':{'id':'1','subject':'look'}}"),
            use("t2", "TaskCreate", "{'subject':'do'}"),
            done("t2", false, "{'task':{'id':'2','subject':'do'}}"),
            use("t3", "TaskUpdate", "{'taskId':'1','status':'in_progress'}"),
            done("t3", false, status("1", "in_progress")),
            use("t4", "TaskUpdate", "{'taskId':'2','status':'deleted'}"),
            done("t4", false, status("2", "deleted")),
            use("t5", "TaskList", "{}"),
            done("t5", false, "{'tasks':[{'id':'1','subject':'look','status':'completed'}]}")));
  }

  @Test
  void reportsThePlanThatIsStatedWhole() {
    assertEquals(
        List.of(plan(step("look", PlanEntry.Status.IN_PROGRESS))),
        facts(
            use(
                "t1",
                "TodoWrite",
                "{'todos':[{'content':'look','status':'in_progress','activeForm':'Looking'}]}"),
            done("t1", false, "{'oldTodos':[],'newTodos':[]}")));
  }

  private List<RunEvent> facts(String... lines) {
    List<RunEvent> events = new ArrayList<>();
    for (String line : lines) {
      events.addAll(stream.line(line.replace('\'', '"')));
    }
    return events.stream()
        .filter(
            event ->
                event instanceof RunEvent.ArtifactChanged || event instanceof RunEvent.TaskProgress)
        .toList();
  }

  private static String use(String id, String tool, String input) {
    return "{'type':'assistant','message':{'content':[{'type':'tool_use','id':'%s','name':'%s',"
            .formatted(id, tool)
        + "'input':%s}]},'parent_tool_use_id':null}".formatted(input);
  }

  private static String done(String id, boolean failed, String said) {
    return "{'type':'user','message':{'content':[{'type':'tool_result','tool_use_id':'%s',"
            .formatted(id)
        + "'content':'Done.','is_error':%s}]},'parent_tool_use_id':null,'tool_use_result':%s}"
            .formatted(failed, said);
  }

  private static String status(String id, String to) {
    return "{'success':true,'taskId':'%s','statusChange':{'from':'pending','to':'%s'}}"
        .formatted(id, to);
  }

  private static RunEvent plan(PlanEntry... steps) {
    return new RunEvent.TaskProgress(List.of(steps));
  }

  private static PlanEntry step(String text, PlanEntry.Status status) {
    return new PlanEntry(text, status);
  }
}
