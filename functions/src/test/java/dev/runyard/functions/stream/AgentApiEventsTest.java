package dev.runyard.functions.stream;

import static dev.runyard.functions.stream.StreamRig.events;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.usage.Usage;
import dev.runyard.functions.Schemas;
import dev.runyard.functions.stream.StreamRig.Frame;
import dev.runyard.functions.stream.StreamRig.Stream;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AgentApiEventsTest {
  private static final String VIEW = "?view=agent_api";
  private static final Schema PAGE = Schemas.published("agent-api-page");
  private static final Schema EVENT = Schemas.published("agent-api-event");
  private static final Schema COMPLETION = Schemas.published("agent-api-completion");
  private static final int OUTPUT = 13;
  private static final int LAST = 5 + OUTPUT + 4;

  private final StreamRig rig = new StreamRig();

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void reportsEveryStoredEventOnceAndTheEndAsCompletion() throws Exception {
    RunKey run = worked();
    rig.twins.complete(run);

    JsonNode page = page(events(run, VIEW));

    List<Integer> sequences = new ArrayList<>();
    page.path("events").forEach(event -> sequences.add(event.path("sequence").intValue()));
    assertEquals(IntStream.range(1, LAST).boxed().toList(), sequences);
    assertEquals(LAST, page.path("next_after").intValue());
    assertEquals("hello", page.at("/completion/final_text").textValue());
    assertEquals(0, page.at("/completion/status/code").intValue());
    assertEquals("native-1", page.at("/completion/data/session/id").textValue());
    assertFalse(page.toString().contains("s3cret"));
  }

  @Test
  void reportsOneSessionAndMetadataWithEveryTool() throws Exception {
    JsonNode page = page(events(worked(), VIEW));

    assertEquals(1, schemas(page, "agent_api.session.handle.v1"));
    assertEquals(4, schemas(page, "agent_api.tools.structured.v1"));
    assertEquals(List.of("ToolCall", "ToolCall", "ToolResult", "ToolResult"), tools(page));
  }

  @Test
  void countsPagesByStoredSequence() throws Exception {
    RunKey run = worked();
    rig.twins.complete(run);

    List<Integer> seen = new ArrayList<>();
    JsonNode page = page(events(run, VIEW + "&limit=4"));
    int pages = 1;
    while (!page.path("closed").booleanValue()) {
      assertTrue(page.path("completion").isNull());
      page.path("events").forEach(event -> seen.add(event.path("sequence").intValue()));
      page = page(events(run, VIEW + "&limit=4&after=" + page.path("next_after").intValue()));
      pages++;
    }
    page.path("events").forEach(event -> seen.add(event.path("sequence").intValue()));

    assertEquals(IntStream.range(1, LAST).boxed().toList(), seen);
    assertEquals((LAST + 3) / 4, pages);
    JsonNode beyond = page(events(run, VIEW + "&after=" + LAST));
    assertEquals(page.path("completion"), beyond.path("completion"));
  }

  @Test
  void streamsEventsByKindAndEndsWithTheCompletion() throws Exception {
    RunKey run = worked();
    try (Stream stream = rig.stream(events(run, VIEW))) {
      List<Frame> first = stream.next(5 + OUTPUT);
      rig.ticks.awaitPaused(1);
      rig.twins.complete(run);
      rig.ticks.tick();
      List<Frame> rest = stream.toEnd();

      for (Frame frame : first) {
        JsonNode json = JsonFormat.JSON.readTree(frame.data());
        Schemas.check(EVENT, json);
        assertEquals(json.path("kind").textValue(), frame.type());
        assertEquals(json.path("sequence").asText(), frame.id());
      }
      assertEquals("completion", rest.getLast().type());
      assertEquals(String.valueOf(LAST), rest.getLast().id());
      Schemas.check(COMPLETION, JsonFormat.JSON.readTree(rest.getLast().data()));
    }
  }

  @Test
  void resumesByTheSequenceLastSeen() throws Exception {
    RunKey run = worked();
    rig.twins.complete(run);

    try (Stream stream = rig.stream(events(run, VIEW), "Last-Event-ID", "7")) {
      assertEquals(
          IntStream.rangeClosed(8, LAST).mapToObj(String::valueOf).toList(),
          Stream.ids(stream.toEnd()));
    }
  }

  @Test
  void saysExactlyCancelled() throws Exception {
    RunKey run = rig.twins.running();
    rig.twins.runs().execute(run, new RunCommand.Cancel("enough"));
    Failure failure = Failure.backend("agent_failed", "It broke.");
    rig.twins.report(
        run,
        new RunEvent.ProcessTerminated("p-1", "cancelled", 0),
        new RunEvent.ProcessCompleted("p-1", 1, null, 5),
        new RunEvent.AttemptFailed(1, "a-1", failure));
    rig.twins.advance().advance(run);

    JsonNode page = page(events(run, VIEW));

    assertEquals("Backend", page.at("/completion/error/kind").textValue());
    assertEquals("cancelled", page.at("/completion/error/message").textValue());
  }

  @Test
  void reportsOneErrorWithTheMessageOfTheCompletion() throws Exception {
    RunKey run = rig.twins.running();
    Failure failure = Failure.backend("agent_failed", "It broke.");
    rig.twins.report(
        run,
        new RunEvent.RuntimeError(failure.code(), failure.message()),
        new RunEvent.ProcessCompleted("p-1", 1, null, 5),
        new RunEvent.AttemptFailed(1, "a-1", failure));
    rig.twins.advance().advance(run);

    JsonNode page = page(events(run, VIEW));

    List<String> errors = new ArrayList<>();
    for (JsonNode event : page.path("events")) {
      if (event.path("kind").textValue().equals("Error")) {
        errors.add(event.path("message").textValue());
      }
    }
    assertEquals(List.of("It broke."), errors);
    assertEquals("It broke.", page.at("/completion/error/message").textValue());
  }

  @Test
  void itsSchemasRefuseWhatIsWrong() throws Exception {
    JsonNode event = page(events(worked(), VIEW)).path("events").get(0);

    for (String change :
        List.of("{'kind':'Text'}", "{'message':null}", "{'sequence':0}", "{'x':1}")) {
      ObjectNode wrong = event.deepCopy();
      wrong.setAll((ObjectNode) JsonFormat.JSON.readTree(change.replace('\'', '"')));
      assertFalse(Schemas.errors(EVENT, wrong).isEmpty(), change);
    }
  }

  /// A run whose agent wrote events of every kind: 5 events before, [#OUTPUT] of its own.
  private RunKey worked() {
    RunKey run = rig.twins.running();
    rig.twins.report(
        run,
        new RunEvent.SessionUpdated("native-1"),
        new RunEvent.RuntimeWarning("code", "look at this"),
        new RunEvent.ReasoningDelta("hm"),
        new RunEvent.ToolStarted("t-1", "shell", "command", "ls"),
        new RunEvent.ToolProgress("t-1", "shell", "command", "half", null),
        new RunEvent.ToolResult("t-1", "shell", "command", 0, "out", 3),
        new RunEvent.ToolFailed("t-2", "shell", "command", 1, "out", 3),
        new RunEvent.RuntimeWarning("unknown_output", "a type"),
        new RunEvent.OutputTruncated("line", 70_000, 65_536),
        new RunEvent.CostRecorded(new Usage(10, 4, 20, 5, null), "m"),
        new RunEvent.Other("future.type", JsonNodeFactory.instance.objectNode()),
        new RunEvent.ModelDelta("hello"),
        new RunEvent.ModelCompleted());
    return run;
  }

  private JsonNode page(String path) throws Exception {
    HttpResponse<String> response = rig.get(path);
    assertEquals(200, response.statusCode(), response.body());
    JsonNode page = JsonFormat.JSON.readTree(response.body());
    Schemas.check(PAGE, page);
    return page;
  }

  private static int schemas(JsonNode page, String id) {
    int count = 0;
    for (JsonNode event : page.path("events")) {
      count += event.at("/data/schema").asText("").equals(id) ? 1 : 0;
    }
    return count;
  }

  private static List<String> tools(JsonNode page) {
    List<String> kinds = new ArrayList<>();
    for (JsonNode event : page.path("events")) {
      String kind = event.path("kind").textValue();
      if (kind.startsWith("Tool")) {
        kinds.add(kind);
      }
    }
    return kinds;
  }
}
