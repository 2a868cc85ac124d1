package dev.runyard.runner.backend.claude;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.Recording;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ClaudeStreamTest {
  private static final Attempt.Exit CLEAN = new Attempt.Exit(0, null);
  private final ClaudeStream stream = new ClaudeStream("a/", "m");

  @Test
  void reportsTheSessionOnceHoweverManyLinesNameIt() {
    assertEquals(
        List.of(new RunEvent.SessionUpdated("s-1"), new RunEvent.RunStatus("system init")),
        lines("{'type':'system','subtype':'init','session_id':'s-1'}"));
    assertEquals(
        List.of(new RunEvent.RunStatus("system ping")),
        lines("{'type':'system','subtype':'ping','session_id':'s-1'}"));
  }

  @Test
  void makesOneMessageOfItsTexts() {
    assertEquals(
        List.of(new RunEvent.ModelDelta("one\ntwo"), new RunEvent.ModelCompleted()),
        lines(
            "{'type':'assistant','message':{'content':[{'type':'text','text':'one'},"
                + "{'type':'text','text':'two'}]}}"));
  }

  @Test
  void reportsTextThatCameInPartsOnce() {
    assertEquals(
        List.of(
            new RunEvent.ModelDelta("hel"),
            new RunEvent.ModelDelta("lo"),
            new RunEvent.ModelCompleted()),
        lines(
            "{'type':'stream_event','event':{'type':'content_block_delta',"
                + "'delta':{'type':'text_delta','text':'hel'}}}",
            "{'type':'assistant','message':{'content':[{'type':'text','text':'hello'}]}}"));
  }

  @Test
  void reportsThoughtsThatCameInPartsOnce() {
    assertEquals(
        List.of(
            new RunEvent.ReasoningDelta("hm"),
            new RunEvent.ReasoningDelta("m"),
            new RunEvent.ReasoningDelta(" so")),
        lines(
            "{'type':'stream_event','event':{'type':'content_block_delta',"
                + "'delta':{'type':'thinking_delta','thinking':'hm'}}}",
            "{'type':'stream_event','event':{'type':'content_block_delta',"
                + "'delta':{'type':'thinking_delta','thinking':'m'}}}",
            "{'type':'assistant','message':{'content':[{'type':'thinking','thinking':'hmm'}]}}",
            "{'type':'assistant','message':{'content':[{'type':'thinking','thinking':' so'}]}}"));
  }

  @Test
  void reportsAToolFromItsStartToItsResult() {
    assertEquals(
        List.of(
            new RunEvent.ToolStarted("a/t1", "bash", "tool_use", null),
            new RunEvent.ToolProgress("a/t1", "bash", "tool_use", null, null),
            new RunEvent.ToolProgress("a/t1", "bash", "tool_use", "{\"cmd\":\"ls\"}", null),
            new RunEvent.ToolResult("a/t1", "bash", "tool_use", null, "ok", 2)),
        lines(
            "{'type':'stream_event','event':{'type':'content_block_start','index':1,"
                + "'content_block':{'type':'tool_use','name':'bash','id':'t1'}}}",
            "{'type':'stream_event','event':{'type':'content_block_delta','index':1,"
                + "'delta':{'type':'input_json_delta','partial_json':'x'}}}",
            "{'type':'assistant','message':{'content':[{'type':'tool_use','name':'bash',"
                + "'id':'t1','input':{'cmd':'ls'}}]}}",
            "{'type':'user','message':{'content':[{'type':'tool_result','tool_use_id':'t1',"
                + "'content':[{'type':'text','text':'ok'}]}]}}"));
  }

  @Test
  void reportsAToolThatFailed() {
    assertEquals(
        List.of(new RunEvent.ToolFailed("a/t1", "tool", "tool_use", null, "no", 2)),
        lines(
            "{'type':'user','message':{'content':[{'type':'tool_result','tool_use_id':'t1',"
                + "'is_error':true,'content':'no'}]}}"));
  }

  @Test
  void succeedsByItsResult() {
    assertEquals(
        List.of(
            new RunEvent.CostRecorded(new Usage(15, 4, 1, 7, 0, 0.5, 0), "m"),
            new RunEvent.RunStatus("result success")),
        lines(
            "{'total_cost_usd':0.5,'type':'result','subtype':'success','is_error':false,'usage':"
                + "{'input_tokens':10,'cache_creation_input_tokens':1,"
                + "'cache_read_input_tokens':4,'output_tokens':7}}"));
    assertEquals(Optional.empty(), stream.end(CLEAN, "").failure());
  }

  @Test
  void doesNotTrustASuccessThatIsAnError() {
    assertEquals(
        List.of(new RunEvent.RunStatus("result error")),
        lines("{'type':'result','subtype':'success','is_error':true,'result':'s3cret'}"));
    assertEquals(Optional.of(ClaudeTrouble.OTHER.failure()), stream.end(CLEAN, "").failure());
  }

  @Test
  void doubtsAnEndWithoutAResult() {
    assertEquals(Optional.of(ClaudeOutcome.NO_RESULT), stream.end(CLEAN, "").failure());
    assertEquals(
        Optional.of(ClaudeTrouble.OTHER.failure()),
        stream.end(new Attempt.Exit(1, null), "").failure());
  }

  @Test
  void endsToolsThatReportNoEnd() {
    lines(
        "{'type':'assistant','message':{'content':[{'type':'tool_use','name':'bash','id':'t1'}]}}");

    assertEquals(
        List.of(new RunEvent.ToolFailed("a/t1", "bash", "tool_use", null, null, 0)),
        stream.end(CLEAN, "").last());
  }

  @Test
  void warnsOnceOfEachTypeItDoesNotKnow() {
    assertEquals(1, lines("{'type':'weird','foo':1}").size());
    assertEquals(0, lines("{'type':'weird','foo':2}").size());
    assertEquals(1, lines("not json").size());
    assertEquals(0, lines("[1]", "", "   ").size());
  }

  @Test
  void countsWhatEachTurnCosts() {
    assertEquals(
        0.5, cost("{'type':'result','subtype':'success','total_cost_usd':0.5,'usage':{}}"));
    assertEquals(
        0.25, cost("{'type':'result','subtype':'success','total_cost_usd':0.75,'usage':{}}"));
  }

  @Test
  void namesTheModelThatAnswered() {
    ClaudeStream own = new ClaudeStream("a/", null);
    own.line("{\"type\":\"system\",\"subtype\":\"init\",\"model\":\"m-1\"}");

    assertEquals(
        new RunEvent.CostRecorded(new Usage(3, 0, 0, 0, null), "m-1"),
        own.line("{\"type\":\"result\",\"subtype\":\"success\",\"usage\":{\"input_tokens\":3}}")
            .getFirst());
  }

  @Test
  void doesNotTakeWhatTheProgramSaysForTheModels() {
    assertEquals(
        List.of(),
        lines(
            "{'type':'assistant','message':{'model':'<synthetic>',"
                + "'content':[{'type':'text','text':'API Error: s3cret'}]}}"));
  }

  @Test
  void reportsTheToolsOfItsHelpersAndNotWhatTheySay() {
    assertEquals(
        List.of(
            new RunEvent.ToolStarted("a/t1", "Read", "tool_use", null, "a/t0"),
            new RunEvent.ToolResult("a/t1", "Read", "tool_use", null, "x", 1, null, "a/t0")),
        lines(
            "{'type':'assistant','parent_tool_use_id':'t0','message':{'content':["
                + "{'type':'text','text':'found it'},{'type':'tool_use','name':'Read',"
                + "'id':'t1'}]}}",
            "{'type':'stream_event','parent_tool_use_id':'t0','event':"
                + "{'type':'content_block_delta','delta':{'type':'text_delta','text':'x'}}}",
            "{'type':'user','parent_tool_use_id':'t0','message':{'content':["
                + "{'type':'tool_result','tool_use_id':'t1','content':'x'}]}}"));
  }

  @Test
  void warnsOnceOfEachToolThatWasNotPermitted() {
    String result =
        "{'type':'result','subtype':'success','permission_denials':["
            + "{'tool_name':'Bash','tool_input':{'command':'s3cret'}},{'tool_name':'Bash'}]}";

    List<RunEvent> told = lines(result, result);

    assertEquals(1, told.stream().filter(RunEvent.RuntimeWarning.class::isInstance).count());
    assertFalse(told.toString().contains("s3cret"));
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void judgesEveryRecordingByItsMeaning(Recording recording) {
    recording.lines().forEach(stream::line);

    assertEquals(
        recording.failure(),
        stream.end(recording.exit(), recording.stderr()).failure().map(Failure::code));
  }

  static List<Recording> recordings() {
    return Recording.all("claude");
  }

  private double cost(String result) {
    RunEvent.CostRecorded cost = (RunEvent.CostRecorded) lines(result).getFirst();
    Double usd = cost.usage().costUsd();
    return usd == null ? -1 : usd;
  }

  private List<RunEvent> lines(String... lines) {
    return List.of(lines).stream()
        .flatMap(line -> stream.line(line.replace('\'', '"')).stream())
        .toList();
  }
}
