package dev.runyard.runner.backend.copilot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CopilotStreamTest {
  private static final Attempt.Exit CLEAN = new Attempt.Exit(0, null);
  private final CopilotStream stream = new CopilotStream("a/");

  @Test
  void reportsTextAsItComesToolsAndTheSessionLast() {
    assertEquals(
        List.of(
            new RunEvent.RunStatus("turn started"),
            new RunEvent.ToolStarted("a/c", "bash", "tool_use", "{\"command\":\"false\"}"),
            new RunEvent.ToolFailed("a/c", "bash", "tool_use", 1, "no", 2),
            new RunEvent.ModelDelta("do"),
            new RunEvent.ModelDelta("ne"),
            new RunEvent.ModelCompleted(),
            new RunEvent.ModelDelta("whole"),
            new RunEvent.ModelCompleted(),
            new RunEvent.SessionUpdated("s-1")),
        lines(
            "{'type':'assistant.turn_start','data':{}}",
            "{'type':'tool.execution_start','data':{'toolCallId':'c','toolName':'bash',"
                + "'arguments':{'command':'false'}}}",
            "{'type':'tool.execution_complete','data':{'toolCallId':'c','success':true,"
                + "'shellExecution':{'exitCode':1},'result':{'content':'no'}}}",
            "{'type':'assistant.message_delta','data':{'deltaContent':'do'}}",
            "{'type':'assistant.message_delta','data':{'deltaContent':'ne'}}",
            "{'type':'assistant.message','data':{'content':'done'}}",
            "{'type':'assistant.message','data':{'content':'whole'}}",
            "{'type':'session.background_tasks_changed','data':{}}",
            "{'type':'result','sessionId':'s-1','exitCode':0}"));
    assertEquals(Optional.empty(), code());
  }

  @Test
  void reportsTheFilesAToolEdited() {
    assertEquals(
        List.of(
            new RunEvent.ArtifactChanged("a/c", "/w/a", FileChange.CREATED),
            new RunEvent.ArtifactChanged("a/c", "/w/b", FileChange.MODIFIED)),
        lines(
                "{'type':'tool.execution_start','data':{'toolCallId':'c','toolName':'create',"
                    + "'arguments':{'path':'a','file_text':'x'}}}",
                "{'type':'tool.execution_complete','data':{'toolCallId':'c','success':true,"
                    + "'fileEdits':[{'path':'/w/a','kind':'create'},"
                    + "{'path':'/w/b','kind':'edit'}],'result':{'content':'Created'}}}")
            .subList(2, 4));
  }

  @Test
  void failsByItsErrorOrWithoutAResult() {
    lines("{'type':'assistant.turn_start','data':{}}");
    assertEquals(Optional.of("agent_failed"), code());
    lines(
        "{'type':'session.error','data':{'message':'x','statusCode':404}}",
        "{'type':'result','sessionId':'s','exitCode':0}");
    assertEquals(Optional.of("no_such_model"), code());
  }

  @Test
  void forgetsAFailedCallOnceTheModelAnswers() {
    lines(
        "{'type':'model.call_failure','data':{'statusCode':500}}",
        "{'type':'assistant.message','data':{'content':'Ok'}}",
        "{'type':'result','sessionId':'s','exitCode':0}");
    assertEquals(Optional.empty(), code());
  }

  @Test
  void givesUpOnAModelThatKeepsFailing() {
    String failure = "{'type':'model.call_failure','data':{'statusCode':429,'errorMessage':''}}";
    lines(failure, failure, "{'type':'assistant.message','data':{}}", failure, failure);
    assertEquals(Optional.empty(), stream.giveUp());
    lines(failure);
    assertEquals(Optional.of("rate_limited"), stream.giveUp().map(Failure::code));
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
