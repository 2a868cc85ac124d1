package dev.runyard.runner.backend.codex;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.PlanEntry;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.usage.Usage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AppServerEventsTest {
  private static final String FILE_ITEM =
      "{'method':'item/started','params':{'threadId':'t-1','turnId':'u-1','item':{'id':'f-1',"
          + "'type':'fileChange','status':'inProgress','changes':[{'path':'/space/x/n.txt',"
          + "'kind':{'type':'add'},'diff':'hello'}]}}}";

  private AppServerEvents news = news(new CodexThread.Fresh());

  @Test
  void reportsTheTextAsItIsWritten() throws Exception {
    List<RunEvent> told = new ArrayList<>(heard(delta("agentMessage/delta", "m-1", "Hel")));
    told.addAll(heard(delta("agentMessage/delta", "m-1", "lo")));
    told.addAll(heard(item("completed", "'id':'m-1','type':'agentMessage','text':'Hello'")));

    assertEquals(
        List.of(
            new RunEvent.ModelDelta("Hel"),
            new RunEvent.ModelDelta("lo"),
            new RunEvent.ModelCompleted()),
        told);
  }

  @Test
  void reportsAThoughtOnce() throws Exception {
    List<RunEvent> told = new ArrayList<>(heard(delta("reasoning/summaryTextDelta", "r-1", "Hm.")));
    heard("{'method':'item/reasoning/summaryPartAdded','params':{'itemId':'r-1'}}");
    told.addAll(heard(item("completed", "'id':'r-1','type':'reasoning','summary':['Hm.']")));
    told.addAll(heard(item("completed", "'id':'r-2','type':'reasoning','summary':['A.','B.']")));

    assertEquals(
        List.of(new RunEvent.ReasoningDelta("Hm."), new RunEvent.ReasoningDelta("A.\n\nB.")), told);
  }

  @Test
  void reportsToolsAsTheOtherModeDoes() throws Exception {
    List<RunEvent> told =
        new ArrayList<>(
            heard(
                item(
                    "started",
                    "'id':'c-1','type':'commandExecution','command':'ls','exitCode':null,"
                        + "'status':'inProgress','aggregatedOutput':null")));
    told.addAll(
        heard(
            item(
                "completed",
                "'id':'c-1','type':'commandExecution','command':'ls','exitCode':2,"
                    + "'status':'completed','aggregatedOutput':'no'")));
    told.addAll(heard(FILE_ITEM));

    assertEquals(
        List.of(
            new RunEvent.ToolStarted("a/c-1", "shell", "command_execution", "ls"),
            new RunEvent.ToolFailed("a/c-1", "shell", "command_execution", 2, "no", 2),
            new RunEvent.ToolStarted("a/f-1", "apply_patch", "file_change", "add /space/x/n.txt")),
        told);
  }

  @Test
  void reportsThePlan() throws Exception {
    RunEvent told =
        heard(
                "{'method':'turn/plan/updated','params':{'threadId':'t-1','plan':"
                    + "[{'step':'look','status':'completed'},{'step':'do','status':'inProgress'},"
                    + "{'step':'test','status':'pending'}]}}")
            .getFirst();

    assertEquals(
        new RunEvent.TaskProgress(
            List.of(
                new PlanEntry("look", PlanEntry.Status.COMPLETED),
                new PlanEntry("do", PlanEntry.Status.IN_PROGRESS),
                new PlanEntry("test", PlanEntry.Status.PENDING))),
        told);
  }

  @Test
  void countsWhatTheRunUsedOfAThread() throws Exception {
    news = news(new CodexThread.Known("t-1", new Usage(100, 10, 5, 1, null)));
    assertEquals(List.of(), heard(used(100, 10, 5, 1)));
    assertEquals(
        List.of(new RunEvent.CostRecorded(new Usage(20, 0, 3, 0, null).asTurn(), "gpt-5.5")),
        heard(used(120, 10, 8, 1)));
    assertEquals(
        List.of(new RunEvent.CostRecorded(new Usage(1, 0, 1, 0, null).asTurn(), "gpt-5.5")),
        heard(used(121, 10, 9, 1)));
  }

  @Test
  void countsWhatItsHelpersUsedOfThreadsOfTheirOwn() throws Exception {
    String method = "thread/tokenUsage/updated";
    String counts =
        "{'tokenUsage':{'total':{'inputTokens':%d,'outputTokens':%d},"
            + "'last':{'inputTokens':20,'outputTokens':3}}}";
    assertEquals(
        List.of(ofHelper(new Usage(20, 0, 3, 0, null))),
        news.heardOfHelper(method, "t-2", json(counts.formatted(120, 8))));
    assertEquals(List.of(), news.heardOfHelper(method, "t-2", json(counts.formatted(120, 8))));
    assertEquals(
        List.of(ofHelper(new Usage(5, 0, 1, 0, null))),
        news.heardOfHelper(method, "t-2", json(counts.formatted(125, 9))));
    assertEquals(List.of(), news.heardOfHelper("item/started", "t-2", json("{}")));
  }

  private static RunEvent ofHelper(Usage usage) {
    return new RunEvent.CostRecorded(usage.asTurn(), "gpt-5.5", null, "t-2");
  }

  private static String item(String what, String members) {
    return "{'method':'item/%s','params':{'threadId':'t-1','item':{%s}}}".formatted(what, members);
  }

  private static String used(int input, int cached, int output, int reasoning) {
    String total =
        "{'inputTokens':%d,'cachedInputTokens':%d,'outputTokens':%d,'reasoningOutputTokens':%d}"
            .formatted(input, cached, output, reasoning);
    return "{'method':'thread/tokenUsage/updated','params':{'tokenUsage':{'total':%s}}}"
        .formatted(total);
  }

  private static String delta(String what, String itemId, String delta) {
    return "{'method':'item/%s','params':{'threadId':'t-1','itemId':'%s','delta':'%s'}}"
        .formatted(what, itemId, delta);
  }

  private static AppServerEvents news(CodexThread thread) {
    return new AppServerEvents(new CodexStream("a/", "gpt-5.5", thread));
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return JsonFormat.JSON.readTree(text.replace('\'', '"'));
  }

  private List<RunEvent> heard(String line) throws JsonProcessingException {
    JsonNode json = json(line);
    return news.heard(json.path("method").asText(), json.path("params"));
  }
}
