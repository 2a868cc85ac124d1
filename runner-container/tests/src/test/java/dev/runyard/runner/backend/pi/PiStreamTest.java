package dev.runyard.runner.backend.pi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PiStreamTest {
  private static final Attempt.Exit CLEAN = new Attempt.Exit(0, null);
  private final PiStream stream = new PiStream("a/", "m");

  @Test
  void reportsTextAsItComesToolsAndEachMessagesTokens() {
    assertEquals(
        List.of(
            new RunEvent.RunStatus("turn started"),
            new RunEvent.ReasoningDelta("hmm"),
            new RunEvent.ToolStarted("a/c", "bash", "tool_use", "{\"command\":\"ls\"}"),
            new RunEvent.ToolResult("a/c", "bash", "tool_use", null, "out", 3),
            new RunEvent.ModelDelta("do"),
            new RunEvent.ModelDelta("ne"),
            new RunEvent.ModelCompleted(),
            new RunEvent.CostRecorded(new Usage(16, 2, 4, 3, 0, 0.5, 1), "m")),
        lines(
            "{'type':'turn_start'}",
            "{'type':'message_update','assistantMessageEvent':"
                + "{'type':'thinking_delta','delta':'hmm'}}",
            "{'type':'tool_execution_start','toolCallId':'c','toolName':'bash',"
                + "'args':{'command':'ls'}}",
            "{'type':'tool_execution_end','toolCallId':'c','toolName':'bash','isError':false,"
                + "'result':{'content':[{'type':'text','text':'out'}]}}",
            "{'type':'message_update','assistantMessageEvent':{'type':'text_delta','delta':'do'}}",
            "{'type':'message_update','assistantMessageEvent':{'type':'text_delta','delta':'ne'}}",
            "{'type':'message_end','message':{'role':'assistant','stopReason':'stop',"
                + "'content':[{'type':'text','text':'done'}],'usage':{'input':10,'output':3,"
                + "'cacheRead':2,'cacheWrite':4,'totalTokens':19,'cost':{'total':0.5}}}}",
            "{'type':'agent_end','messages':[]}"));
    assertEquals(Optional.empty(), code(CLEAN));
  }

  @Test
  void reportsTheFilesItsToolsChanged() {
    assertEquals(
        List.of(
            new RunEvent.ArtifactChanged("a/c1", "f.txt", null),
            new RunEvent.ArtifactChanged("a/c2", "f.txt", FileChange.MODIFIED)),
        lines(
                "{'type':'tool_execution_start','toolCallId':'c1','toolName':'write',"
                    + "'args':{'path':'f.txt','content':'one'}}",
                "{'type':'tool_execution_end','toolCallId':'c1','isError':false,'result':{}}",
                "{'type':'tool_execution_start','toolCallId':'c2','toolName':'edit',"
                    + "'args':{'path':'f.txt','edits':[{'oldText':'one','newText':'two'}]}}",
                "{'type':'tool_execution_end','toolCallId':'c2','isError':false,'result':{}}")
            .stream()
            .filter(RunEvent.ArtifactChanged.class::isInstance)
            .toList());
  }

  @Test
  void failsByWhyTheLastMessageStoppedWhateverTheExitCode() {
    lines(failed("500 no"), "{'type':'auto_retry_start'}", "{'type':'turn_start'}");
    assertEquals(Optional.of("agent_failed"), code(CLEAN));
    lines(failed("429 Rate limit reached"));
    assertEquals(Optional.of("rate_limited"), code(CLEAN));
    lines("{'type':'message_end','message':{'role':'assistant','stopReason':'stop'}}");
    assertEquals(Optional.empty(), code(CLEAN));
    assertEquals(Optional.of("agent_killed"), code(new Attempt.Exit(null, 9)));
  }

  @Test
  void doubtsAnExitWithoutAWord() {
    assertEquals(Optional.of("no_output"), code(CLEAN));
  }

  private static String failed(String message) {
    return "{'type':'message_end','message':{'role':'assistant','stopReason':'error',"
        + "'errorMessage':'"
        + message
        + "'}}";
  }

  private Optional<String> code(Attempt.Exit exit) {
    return stream.end(exit, "").failure().map(Failure::code);
  }

  private List<RunEvent> lines(String... lines) {
    return List.of(lines).stream()
        .flatMap(line -> stream.line(line.replace('\'', '"')).stream())
        .toList();
  }
}
