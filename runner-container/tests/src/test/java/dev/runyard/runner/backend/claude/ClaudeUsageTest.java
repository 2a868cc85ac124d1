package dev.runyard.runner.backend.claude;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.usage.Usage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Lines as Claude Code 2.1 prints them, without what does not count.
final class ClaudeUsageTest {
  private final ClaudeUsage usage = new ClaudeUsage();

  @Test
  void reportsEachAnswerOnceItIsWhole() {
    assertEquals(List.of(), start(100, 20, 5));
    assertEquals(List.of(), part("{'type':'message_delta','usage':{'output_tokens':7}}"));
    assertEquals(
        List.of(answer(new Usage(125, 20, 5, 7, 0, null, 1))), part("{'type':'message_stop'}"));
    assertEquals(List.of(), part("{'type':'message_stop'}"));
  }

  @Test
  void reportsNothingTwice() {
    said(100, 7);
    said(200, 9);

    assertEquals(
        List.of(new RunEvent.CostRecorded(Usage.NONE.at(0.5), "asked")),
        result("'usage':{'input_tokens':300,'output_tokens':16},'total_cost_usd':0.5"));
  }

  @Test
  void reportsAtTheEndWhatItsHelpersUsed() {
    said(11, 2);
    String answered = "{'id':'h-1','model':'small','usage':{'input_tokens':11339}}";
    assertEquals(
        List.of(
            new RunEvent.CostRecorded(
                new Usage(11_339, 0, 0, 0, null).asTurn(), "small", null, "a/t0")),
        usage.helper("a/t0", json(answered)));
    assertEquals(List.of(), usage.helper("a/t0", json(answered)));
    said(19_282, 2);

    assertEquals(
        List.of(new RunEvent.CostRecorded(new Usage(33, 0, 8, 0, 0.25), "asked")),
        result(
            "'usage':{'input_tokens':19293,'output_tokens':4},'total_cost_usd':0.25,'modelUsage':"
                + "{'big':{'inputTokens':19293,'outputTokens':4},"
                + "'small':{'inputTokens':11372,'outputTokens':8}}"));
  }

  @Test
  void reportsOfALaterTurnOnlyItsOwnUsage() {
    said(10, 1);
    result("'usage':{'input_tokens':10,'output_tokens':1},'total_cost_usd':0.5");
    said(20, 2);

    assertEquals(
        List.of(new RunEvent.CostRecorded(new Usage(1, 0, 0, 0, 0.25), "asked")),
        result("'usage':{'input_tokens':21,'output_tokens':2},'total_cost_usd':0.75"));
  }

  @Test
  void reportsAnAnswerThatWasCutOff() {
    start(100, 0, 0);

    assertEquals(
        List.of(answer(new Usage(100, 0, 0, 1, 0, null, 1))),
        result("'usage':{'input_tokens':100,'output_tokens':1}"));
  }

  @Test
  void sumsUpToWhatEveryRecordingSays() throws IOException {
    for (String name : List.of("text", "shell", "queued", "denied")) {
      String path = "/claude/" + name + ".jsonl";
      ClaudeStream stream = new ClaudeStream("a/", "m");
      Usage told = Usage.NONE;
      long counted = 0;
      try (var in = ClaudeUsageTest.class.getResourceAsStream(path)) {
        for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
          JsonNode json = JsonFormat.JSON.readTree(line);
          boolean end = json.path("type").asText("").equals("result");
          counted += end ? tokens(json.path("usage")) : 0;
          for (RunEvent event : stream.line(line)) {
            told = event instanceof RunEvent.CostRecorded cost ? told.plus(cost.usage()) : told;
          }
        }
      }
      assertEquals(counted, told.tokens(), name);
      assertEquals(true, told.turns() > 0, name);
    }
  }

  private static long tokens(JsonNode usage) {
    return usage.path("input_tokens").asLong()
        + usage.path("cache_read_input_tokens").asLong()
        + usage.path("cache_creation_input_tokens").asLong()
        + usage.path("output_tokens").asLong();
  }

  private void said(long input, long output) {
    List<RunEvent> told = new ArrayList<>(start(input, 0, 0));
    told.addAll(part("{'type':'message_delta','usage':{'output_tokens':%d}}".formatted(output)));
    told.addAll(part("{'type':'message_stop'}"));
    assertEquals(List.of(answer(new Usage(input, 0, output, 0, null).asTurn())), told);
  }

  private List<RunEvent> start(long input, long cached, long written) {
    return part(
        ("{'type':'message_start','message':{'model':'scripted','usage':{'input_tokens':%d,"
                + "'output_tokens':1,'cache_read_input_tokens':%d,"
                + "'cache_creation_input_tokens':%d}}}")
            .formatted(input, cached, written));
  }

  private List<RunEvent> part(String event) {
    return usage.part(json(event));
  }

  private List<RunEvent> result(String members) {
    return usage.result(json("{" + members + "}"), "asked");
  }

  private static RunEvent answer(Usage used) {
    return new RunEvent.CostRecorded(used, "scripted");
  }

  private static JsonNode json(String text) {
    try {
      return JsonFormat.JSON.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
