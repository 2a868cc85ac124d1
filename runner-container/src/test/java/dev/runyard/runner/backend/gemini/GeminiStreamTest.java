package dev.runyard.runner.backend.gemini;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.Usage;
import dev.runyard.core.run.Attempt;
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
  void quotesNothingOfWhatItComplainsAbout() {
    List<RunEvent> events =
        lines(
            "{'type':'error','severity':'warning','message':'s3cret'}",
            "{'type':'result','status':'error','error':{'message':'s3cret'}}");

    assertFalse(events.toString().contains("s3cret"));
    assertEquals(
        new RunEvent.RuntimeError(GeminiStream.FAILED.code(), GeminiStream.FAILED.message()),
        events.getLast());
    assertEquals(Optional.of(GeminiStream.FAILED), stream.end(CLEAN, "").failure());
  }

  @Test
  void doubtsAnExitWithoutAResult() {
    lines("{'type':'message','role':'assistant','content':'half','delta':true}");

    assertEquals(Optional.of(GeminiStream.NO_RESULT), stream.end(CLEAN, "").failure());
  }

  @Test
  void warnsOfAMessageWithoutContent() {
    assertEquals(1, lines("{'type':'message','role':'assistant'}").size());
    assertEquals(1, lines("{'type':'future','payload':{}}").size());
  }

  private List<RunEvent> lines(String... lines) {
    return List.of(lines).stream()
        .flatMap(line -> stream.line(line.replace('\'', '"')).stream())
        .toList();
  }
}
