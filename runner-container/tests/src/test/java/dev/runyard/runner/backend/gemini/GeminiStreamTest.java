package dev.runyard.runner.backend.gemini;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class GeminiStreamTest {
  private static final Attempt.Exit CLEAN = new Attempt.Exit(0, null);
  private final GeminiStream stream = new GeminiStream("a/", "m");

  @Test
  void endsAMessageWhereAToolOrTheResultBegins() {
    assertEquals(
        List.of(
            new RunEvent.SessionUpdated("s-1"),
            new RunEvent.ModelDelta("I look"),
            new RunEvent.ModelCompleted(),
            new RunEvent.ToolStarted("a/t", "sh", "tool_use", "{\"command\":\"pwd\"}"),
            new RunEvent.ToolResult("a/t", "sh", "tool_use", null, "/x", 2),
            new RunEvent.ModelDelta("do"),
            new RunEvent.ModelDelta("ne"),
            new RunEvent.ModelCompleted(),
            new RunEvent.CostRecorded(new Usage(4, 1, 6, 0, null), "m"),
            new RunEvent.RunStatus("result success")),
        lines(
            "{'type':'init','session_id':'s-1'}",
            "{'type':'message','role':'assistant','content':'I look','delta':true}",
            "{'type':'tool_use','tool_name':'sh','tool_id':'t','parameters':{'command':'pwd'}}",
            "{'type':'tool_result','tool_id':'t','status':'success','output':'/x'}",
            "{'type':'message','role':'assistant','content':'do','delta':true}",
            "{'type':'message','role':'assistant','content':'ne','delta':true}",
            "{'type':'result','status':'success','stats':"
                + "{'input_tokens':4,'output_tokens':6,'cached':1}}"));
    assertEquals(Optional.empty(), stream.end(CLEAN, "").failure());
  }

  @Test
  void reportsTheFilesItsToolsChanged() {
    assertEquals(
        List.of(
            new RunEvent.ArtifactChanged("a/t1", "f.txt", null),
            new RunEvent.ArtifactChanged("a/t2", "f.txt", FileChange.MODIFIED)),
        lines(
                "{'type':'tool_use','tool_name':'write_file','tool_id':'t1',"
                    + "'parameters':{'file_path':'f.txt','content':'one'}}",
                "{'type':'tool_result','tool_id':'t1','status':'success'}",
                "{'type':'tool_use','tool_name':'replace','tool_id':'t2','parameters':"
                    + "{'file_path':'f.txt','old_string':'one','new_string':'two'}}",
                "{'type':'tool_result','tool_id':'t2','status':'success'}")
            .stream()
            .filter(RunEvent.ArtifactChanged.class::isInstance)
            .toList());
  }

  @Test
  void repeatsNoErrorOutput() {
    List<RunEvent> events =
        lines(
            "{'type':'error','severity':'warning','message':'s3cret'}",
            "{'type':'result','status':'error','error':{'message':'s3cret'}}");

    assertFalse(events.toString().contains("s3cret"));
    assertEquals(Optional.of("agent_failed"), code(CLEAN, "s3cret"));
  }

  @Test
  void doubtsAnExitWithoutAResult() {
    lines("{'type':'message','role':'assistant','content':'half','delta':true}");

    assertEquals(Optional.of("no_output"), code(CLEAN, ""));
    lines("{'type':'init','session_id':'s-1'}");
    assertEquals(Optional.of("agent_failed"), code(CLEAN, ""));
    assertEquals(Optional.of("no_output"), fresh().end(CLEAN, "").failure().map(Failure::code));
  }

  @Test
  void warnsOfAMessageWithoutContent() {
    assertEquals(1, lines("{'type':'message','role':'assistant'}").size());
    assertEquals(1, lines("{'type':'future','payload':{}}").size());
  }

  @Test
  void reportsWhyByTheMessageTheStatusInTheExitCodeOrStandardError() {
    lines("{'type':'result','status':'error','error':{'message':'[API Error: fetch failed]'}}");
    assertEquals(Optional.of("network"), code(CLEAN, ""));
    lines("{'type':'result','status':'error','error':{'message':'what'}}");
    assertEquals(Optional.of("network"), code(CLEAN, ""));
    GeminiStream other = fresh();
    other.line("{\"type\":\"result\",\"status\":\"error\"}");
    assertEquals(
        Optional.of("rate_limited"),
        other.end(new Attempt.Exit(null, 429 % 256 - 128), "").failure().map(Failure::code));
    assertEquals(
        Optional.of("session_not_found"),
        fresh()
            .end(new Attempt.Exit(42, null), "Error resuming session: Invalid")
            .failure()
            .map(Failure::code));
  }

  @Test
  void countsThoughtsAsOutput() {
    assertEquals(
        new RunEvent.CostRecorded(new Usage(10, 0, 7, 2, null), "m"),
        lines(
                "{'type':'result','status':'success','stats':"
                    + "{'total_tokens':17,'input_tokens':10,'output_tokens':5}}")
            .getFirst());
  }

  private Optional<String> code(Attempt.Exit exit, String stderr) {
    return stream.end(exit, stderr).failure().map(Failure::code);
  }

  private static GeminiStream fresh() {
    return new GeminiStream("a/", "m");
  }

  private List<RunEvent> lines(String... lines) {
    return List.of(lines).stream()
        .flatMap(line -> stream.line(line.replace('\'', '"')).stream())
        .toList();
  }
}
