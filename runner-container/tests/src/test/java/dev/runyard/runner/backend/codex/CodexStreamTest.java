package dev.runyard.runner.backend.codex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.PlanEntry;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CodexStreamTest {

  private static final RunEvent THREAD =
      new RunEvent.SessionUpdated("00000000-0000-7000-8000-000000000001");

  private final CodexStream stream = new CodexStream("1/", "m", new CodexThread.Fresh());

  @Test
  void mapsAText() {
    assertEquals(
        List.of(
            THREAD,
            new RunEvent.ModelDelta("Hello from the model."),
            new RunEvent.ModelCompleted(),
            new RunEvent.CostRecorded(new Usage(120, 100, 8, 3, null), null)),
        CodexStreams.events("text"));
  }

  @Test
  void mapsToolsWithTheirEnds() {
    assertEquals(
        List.of(
            new RunEvent.ToolStarted(
                "item_0", "shell", "command_execution", "/bin/bash -lc 'printf one > a.txt'"),
            new RunEvent.ToolResult("item_0", "shell", "command_execution", 0, null, 0),
            new RunEvent.ToolStarted(
                "item_1", "shell", "command_execution", "/bin/bash -lc 'cat a.txt missing.txt'"),
            new RunEvent.ToolFailed(
                "item_1",
                "shell",
                "command_execution",
                1,
                "onecat: missing.txt: No such file or directory\n",
                47)),
        tools(CodexStreams.events("two-tools")));
  }

  @Test
  void mapsAPatch() {
    assertEquals(
        List.of(
            new RunEvent.ToolStarted(
                "item_0", "apply_patch", "file_change", "add /workspace/notes/hello.txt"),
            new RunEvent.ToolResult("item_0", "apply_patch", "file_change", null, null, 0)),
        tools(CodexStreams.events("patch")));
  }

  @Test
  void mapsReasoningApartFromTheAnswer() {
    List<RunEvent> events = CodexStreams.events("reasoning");
    assertEquals(new RunEvent.ReasoningDelta("First look, then answer."), events.get(1));
    assertEquals(new RunEvent.ModelDelta("Thought about it."), events.get(2));
  }

  @Test
  void mapsASubAgentAsATool() {
    assertEquals(
        List.of(
            new RunEvent.ToolStarted("item_1", "spawn_agent", "collab_tool_call", "hello child"),
            new RunEvent.ToolResult("item_1", "spawn_agent", "collab_tool_call", null, null, 0)),
        tools(CodexStreams.events("sub-agent")));
  }

  @Test
  void warnsOfAModelCodexDoesNotKnow() {
    RunEvent.RuntimeWarning warning =
        (RunEvent.RuntimeWarning) CodexStreams.events("unknown-model-name").get(1);
    assertEquals("unknown_model_name", warning.code());
    assertFalse(warning.message().contains("scripted"), "quotes no output");
  }

  @Test
  void warnsOfEachNewTryToReachTheModel() {
    assertEquals(List.of("network", "network"), warnings(CodexStreams.events("no-server")));
    assertEquals(List.of("key_refused"), warnings(CodexStreams.events("status-401")));
  }

  @Test
  void keepsTheMessageThatADroppedConnectionCutOff() {
    List<RunEvent> texts =
        CodexStreams.events("drop").stream().filter(RunEvent.ModelDelta.class::isInstance).toList();
    assertEquals(List.of(new RunEvent.ModelDelta("half"), new RunEvent.ModelDelta("half")), texts);
  }

  @Test
  void subtractsWhatAResumedThreadHadUsed() {
    CodexStream resumed =
        new CodexStream("", null, new CodexThread.Known("thread", new Usage(9_726, 0, 3, 0, null)));
    RunEvent last =
        Recording.named(CodexStreams.RECORDINGS, "resume").events(resumed::line).getLast();
    assertEquals(
        new RunEvent.CostRecorded(new Usage(29_934 - 9_726, 0, 16 - 3, 0, null), null), last);
  }

  @Test
  void givesUpOnANetworkThatDoesNotCome() {
    String wait = "{\"type\":\"error\",\"message\":\"Reconnecting... waiting for network (x)\"}";
    for (int i = 1; i < CodexStream.NETWORK_WAITS_MAX; i++) {
      stream.line(wait);
    }
    assertEquals(Optional.empty(), stream.giveUp());
    stream.line(wait);
    assertEquals(Optional.of("network"), stream.giveUp().map(Failure::code));
    stream.line("{\"type\":\"item.started\",\"item\":{\"id\":\"a\",\"type\":\"reasoning\"}}");
    assertEquals(Optional.empty(), stream.giveUp());
  }

  @Test
  void reportsATextThatGrowsInPieces() {
    assertEquals(
        List.of(
            new RunEvent.ModelDelta("hi"),
            new RunEvent.ModelDelta(" there"),
            new RunEvent.ModelDelta("!"),
            new RunEvent.ModelCompleted()),
        events(
            """
            {"type":"item.started","item_id":"m","item_type":"agent_message","content":{"text":"hi"}}
            {"type":"item.delta","item_id":"m","item_type":"agent_message","delta":{"text_delta":" there"}}
            {"type":"item.completed","item_id":"m","item_type":"agent_message","content":{"text":"hi there!"}}
            """));
  }

  @Test
  void endsAMessageThatAnotherReplaces() {
    assertEquals(
        List.of(
            new RunEvent.ModelDelta("draft"),
            new RunEvent.ModelCompleted(),
            new RunEvent.ModelDelta("final"),
            new RunEvent.ModelCompleted()),
        events(
            """
            {"type":"item.created","item":{"id":"m","type":"agent_message","content":"draft"}}
            {"type":"item.updated","item":{"id":"m","type":"agent_message","status":"completed","content":"final"}}
            {"type":"item.completed","item":{"id":"m","type":"agent_message","text":"final"}}
            """));
  }

  @Test
  void mapsToolsThatWereNotRecorded() {
    assertEquals(
        List.of(
            new RunEvent.ToolStarted("1/a", "docs.find", "mcp_tool_call", "{\"q\":\"x\"}"),
            new RunEvent.ToolProgress("1/a", "docs.find", "mcp_tool_call", null, null),
            new RunEvent.ToolFailed("1/a", "docs.find", "mcp_tool_call", null, "no luck", 7),
            new RunEvent.ToolStarted("1/b", "web_search", "web_search", "java"),
            new RunEvent.ToolResult("1/b", "web_search", "web_search", null, null, 0)),
        events(
            """
            {"type":"item.started","item":{"id":"a","type":"mcp_tool_call","server":"docs","tool":"find","arguments":{"q":"x"},"status":"in_progress"}}
            {"type":"item.updated","item":{"id":"a","type":"mcp_tool_call","server":"docs","tool":"find","status":"in_progress"}}
            {"type":"item.completed","item":{"id":"a","type":"mcp_tool_call","server":"docs","tool":"find","error":{"message":"no luck"},"status":"failed"}}
            {"type":"item.completed","item":{"id":"b","type":"web_search","query":"java"}}
            """));
  }

  @Test
  void mapsAPlanAsProgress() {
    assertEquals(
        List.of(
            new RunEvent.TaskProgress(
                List.of(
                    new PlanEntry("Look", PlanEntry.Status.COMPLETED),
                    new PlanEntry("Do", PlanEntry.Status.PENDING)))),
        stream.line(
            "{\"type\":\"item.updated\",\"item\":{\"id\":\"p\",\"type\":\"todo_list\","
                + "\"items\":[{\"text\":\"Look\",\"completed\":true},"
                + "{\"text\":\"Do\",\"completed\":false}]}}"));
  }

  @Test
  void reportsTheFilesOfAChangeThatWasMade() {
    assertEquals(
        List.of(
            new RunEvent.ArtifactChanged("1/f", "/w/a", FileChange.CREATED),
            new RunEvent.ArtifactChanged("1/f", "/w/b", FileChange.MODIFIED),
            new RunEvent.ArtifactChanged("1/f", "/w/c", FileChange.DELETED),
            new RunEvent.ArtifactChanged("1/f", "/w/d", FileChange.DELETED),
            new RunEvent.ArtifactChanged("1/f", "/w/e", FileChange.CREATED)),
        changes(
            """
            {"type":"item.started","item":{"id":"f","type":"file_change","changes":[{"path":"/w/a","kind":"add"}],"status":"in_progress"}}
            {"type":"item.completed","item":{"id":"f","type":"file_change","changes":[{"path":"/w/a","kind":"add"},{"path":"/w/b","kind":"update"},{"path":"/w/c","kind":"delete"},{"path":"/w/d","kind":{"type":"update","move_path":"/w/e"}}],"status":"completed"}}
            """));
    assertEquals(
        List.of(),
        changes(
            """
            {"type":"item.completed","item":{"id":"g","type":"file_change","changes":[{"path":"/w/a","kind":"add"}],"status":"failed"}}
            """));
  }

  private List<RunEvent> changes(String lines) {
    return events(lines).stream().filter(RunEvent.ArtifactChanged.class::isInstance).toList();
  }

  @Test
  void endsToolsThatReportNoEnd() {
    assertEquals(
        List.of(
            new RunEvent.ToolStarted("1/c", "shell", "command_execution", "sleep 9"),
            new RunEvent.ToolFailed("1/c", "shell", "command_execution", null, null, 0)),
        events(
            """
            {"type":"item.started","item":{"id":"c","type":"command_execution","command":"sleep 9","exit_code":null}}
            {"type":"turn.completed"}
            """));
  }

  @Test
  void passesOnAllThatAToolPrinted() {
    String output = "é".repeat(CodexItems.PREVIEW_BYTES_MAX);
    RunEvent.ToolResult result =
        (RunEvent.ToolResult)
            stream
                .line(
                    "{\"type\":\"item.completed\",\"item\":{\"id\":\"c\",\"type\":"
                        + "\"command_execution\",\"command\":\"x\",\"exit_code\":0,"
                        + "\"aggregated_output\":\"%s\"}}".formatted(output))
                .getLast();
    assertEquals(2L * CodexItems.PREVIEW_BYTES_MAX, result.outputBytes());
    assertEquals(output, result.preview());
  }

  @Test
  void splitsALongText() {
    String text = "x".repeat(150_000);
    List<RunEvent> events =
        stream.line(
            "{\"type\":\"item.completed\",\"item\":{\"id\":\"m\",\"type\":\"agent_message\","
                + "\"text\":\"%s\"}}".formatted(text));
    assertEquals(4, events.size());
    assertEquals(new RunEvent.ModelCompleted(), events.getLast());
  }

  @Test
  void announcesNoIdThatIsTooLong() {
    String long1 = "x".repeat(CodexStream.SESSION_ID_BYTES_MAX + 1);
    assertEquals(
        List.of(
            new RunEvent.RuntimeWarning(
                "session_handle_omitted", "session handle omitted: id exceeds 1024 bytes")),
        events("{\"type\":\"thread.started\",\"thread_id\":\"%s\"}".formatted(long1)));
  }

  @Test
  void announcesTheThreadOnce() {
    assertEquals(
        1,
        events(
                """
                {"type":"thread.started","thread_id":"a"}
                {"type":"thread.resumed","thread_id":"a"}
                """)
            .size());
  }

  @Test
  void leavesOutWhatItCannotReadWithOneWarning() {
    List<RunEvent> events = events("secret rubbish\n\n{\"type\":\n[1]\n\"text\"\nnull\n{}\n");
    assertEquals(List.of("unreadable_output"), warnings(events));
    assertFalse(events.toString().contains("secret"));
  }

  @Test
  void leavesOutUnknownTypesWithOneWarningEach() {
    List<RunEvent> events =
        events(
            """
            {"type":"thread.renamed","name":"secret"}
            {"type":"thread.renamed","name":"secret"}
            {"type":"Odd Type secret"}
            {"type":"item.started","item":{"id":"x","type":"hologram","text":"secret"}}
            """);
    assertEquals(3, warnings(events).size());
    assertFalse(events.toString().contains("secret"));
    assertTrue(events.toString().contains("thread.renamed"));
    assertTrue(events.toString().contains("item hologram"));
  }

  @Test
  void survivesDamagedLines() {
    Random random = new Random(7);
    List<String> lines =
        Recording.all(CodexStreams.RECORDINGS).stream()
            .flatMap(recording -> recording.lines().stream())
            .toList();
    CodexStream damaged = new CodexStream("", null, new CodexThread.Fresh());
    List<RunEvent> events = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      damaged = i % 20 == 0 ? new CodexStream("", null, new CodexThread.Fresh()) : damaged;
      StringBuilder line = new StringBuilder(lines.get(random.nextInt(lines.size())));
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        int at = random.nextInt(line.length() + 1) - 1;
        if (at < 0) {
          continue;
        }
        switch (random.nextInt(3)) {
          case 0 -> line.setCharAt(at, (char) random.nextInt(0x10000));
          case 1 -> line.deleteCharAt(at);
          default -> line.setLength(at + 1);
        }
      }
      events.addAll(damaged.line(line.toString()));
    }
    assertTrue(events.size() > 1_000);
  }

  private List<RunEvent> events(String lines) {
    return lines.lines().flatMap(line -> stream.line(line).stream()).toList();
  }

  private static List<RunEvent> tools(List<RunEvent> events) {
    return events.stream()
        .filter(
            event ->
                event instanceof RunEvent.ToolStarted
                    || event instanceof RunEvent.ToolResult
                    || event instanceof RunEvent.ToolFailed)
        .toList();
  }

  private static List<String> warnings(List<RunEvent> events) {
    return events.stream()
        .filter(RunEvent.RuntimeWarning.class::isInstance)
        .map(event -> ((RunEvent.RuntimeWarning) event).code())
        .toList();
  }
}
