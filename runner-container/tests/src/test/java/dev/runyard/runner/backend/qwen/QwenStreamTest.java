package dev.runyard.runner.backend.qwen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.event.PlanEntry;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class QwenStreamTest {
  private static final Attempt.Exit CLEAN = new Attempt.Exit(0, null);
  private final QwenStream stream = new QwenStream("a/", "m");

  @Test
  void reportsWhatIsStreamedOnce() {
    assertEquals(
        List.of(
            new RunEvent.SessionUpdated("s-1"),
            new RunEvent.RunStatus("system event"),
            new RunEvent.ReasoningDelta("hmm"),
            new RunEvent.ToolStarted("a/c", "sh", "tool_use", "{\"command\":\"ls\"}"),
            new RunEvent.CostRecorded(new Usage(20, 4, 5, 0, null).asTurn(), "m"),
            new RunEvent.ToolResult("a/c", "sh", "tool_use", null, "out", 3),
            new RunEvent.ModelDelta("done"),
            new RunEvent.ModelCompleted(),
            new RunEvent.CostRecorded(new Usage(10, 0, 1, 0, null).asTurn(), "m"),
            new RunEvent.CostRecorded(new Usage(0, 0, 1, 0, null), "m")),
        lines(
            "{'type':'system','subtype':'init','session_id':'s-1'}",
            "{'type':'stream_event','event':{'type':'message_start'}}",
            part("thinking_delta", "thinking", "hmm"),
            message("{'type':'thinking','thinking':'hmm'}"),
            message(
                "{'type':'tool_use','id':'c','name':'sh','input':{'command':'ls'}}",
                "'input_tokens':20,'output_tokens':5,'cache_read_input_tokens':4"),
            "{'type':'user','message':{'content':[{'type':'tool_result','tool_use_id':'c',"
                + "'is_error':false,'content':'out'}]}}",
            "{'type':'stream_event','event':{'type':'message_start'}}",
            part("text_delta", "text", "done"),
            message("{'type':'text','text':'done'}", "'input_tokens':10,'output_tokens':1"),
            "{'type':'result','subtype':'success','is_error':false,'result':'done','usage':"
                + "{'input_tokens':30,'output_tokens':7,'cache_read_input_tokens':4}}"));
    assertEquals(Optional.empty(), code());
  }

  @Test
  void reportsThePlanAndTheFilesOfItsTools() {
    assertEquals(
        List.of(
            new RunEvent.TaskProgress(List.of(new PlanEntry("look", PlanEntry.Status.IN_PROGRESS))),
            new RunEvent.ArtifactChanged("a/c2", "/w/f", null)),
        lines(
                message(
                    "{'type':'tool_use','id':'c1','name':'todo_write','input':{'todos':"
                        + "[{'id':'1','content':'look','status':'in_progress'}]}}"),
                result("c1"),
                message(
                    "{'type':'tool_use','id':'c2','name':'write_file','input':"
                        + "{'file_path':'/w/f','content':'x'}}"),
                result("c2"))
            .stream()
            .filter(
                event ->
                    event instanceof RunEvent.ArtifactChanged
                        || event instanceof RunEvent.TaskProgress)
            .toList());
  }

  private static String result(String id) {
    return "{'type':'user','message':{'content':[{'type':'tool_result','tool_use_id':'%s',"
            .formatted(id)
        + "'is_error':false,'content':'done'}]}}";
  }

  @Test
  void doesNotTakeAnErrorForTheAnswer() {
    List<RunEvent> events =
        lines(
            "{'type':'stream_event','event':{'type':'message_start'}}",
            part("text_delta", "text", "half"),
            part("text_delta", "text", "[API Error: 401 Incorrect API key]"),
            message("{'type':'text','text':'half[API Error: 401 Incorrect API key]'}"),
            "{'type':'result','subtype':'success','is_error':false,"
                + "'result':'half[API Error: 401 Incorrect API key]'}");
    assertFalse(events.toString().contains("Incorrect"));
    assertEquals(Optional.of("key_refused"), code());
  }

  @Test
  void failsByAnErrorItReportsItself() {
    lines("{'type':'result','is_error':true,'error':{'message':'Missing API key for this'}}");
    assertEquals(Optional.of("no_key"), code());
  }

  private static String part(String type, String member, String text) {
    return "{'type':'stream_event','event':{'type':'content_block_delta','delta':{'type':'%s','%s':'%s'}}}"
        .formatted(type, member, text);
  }

  private static String message(String block) {
    return message(block, "'input_tokens':0,'output_tokens':0");
  }

  private static String message(String block, String usage) {
    return "{'type':'assistant','message':{'content':[%s],'usage':{%s}}}".formatted(block, usage);
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
