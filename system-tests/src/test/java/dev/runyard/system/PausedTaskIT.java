package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A task is paused while its run is at work at the only place there is: another run has the place,
/// all is killed, and the run goes on where it was once the task is resumed.
@Order(4)
final class PausedTaskIT {
  private static final Map<String, String> ONE = Map.of("RunnersMax", "1", "RunsPerRunner", "1");

  @TempDir private Path folder;

  @Test
  void itsRunGoesOnAtAnotherRunner() throws Exception {
    String jars = TestAgents.in(folder);
    StackFolder files = StackFolder.in(folder, ONE);
    try (SystemStack stack = SystemStack.emulated(files, "--agent-jars", jars)) {
      String run = rests(stack.api());
      stack.killRunners();
      goesOn(stack.api(), run);
    }
  }

  @Test
  void itsRunGoesOnAtTheNextStack() throws Exception {
    String jars = TestAgents.in(folder);
    StackFolder files = StackFolder.in(folder, ONE);
    String run;
    try (SystemStack stack = SystemStack.start(files, "--agent-jars", jars)) {
      run = rests(stack.api());
      stack.killAll();
    }
    try (SystemStack stack = SystemStack.start(files, "--agent-jars", jars)) {
      goesOn(stack.api(), run);
    }
  }

  private static String rests(Api api) throws Exception {
    Api.Answer created =
        api.post(
            "/v1/tasks",
            "{\"task_id\":\"t\",\"title\":\"two\",\"request\":{\"agent\":\"scribe\",\"prompt\":\"2\"}}");
    assertEquals(201, created.status(), created.json()::toString);
    String run = command(api, "accepted", "start_task", "").at("/ids/run_id").asText();
    say(api, run, "one");
    api.until(run, "process.input");

    command(api, "accepted", "pause_task", ",\"reason\":\"later\"");
    List<JsonNode> events = api.until(run, "task.paused");
    assertEquals("put_aside", events.getLast().at("/payload/reason").asText());
    JsonNode view = api.view(run);
    assertEquals("paused", view.path("phase").asText(), view::toString);
    assertEquals("paused", task(api).path("status").asText());
    String other = api.run(Api.echo(1, 0, ""));
    assertEquals("completed", api.ended(other).path("status").asText());
    return run;
  }

  private static void goesOn(Api api, String run) throws Exception {
    say(api, run, "two");
    assertEquals("paused", api.view(run).path("phase").asText());
    command(api, "done", "resume_task", "");

    JsonNode view = api.ended(run);
    assertEquals("completed", view.path("status").asText(), view::toString);
    List<JsonNode> events = api.all(run, 1_000);
    assertEquals(List.of("one", "two"), texts(events, "model.delta", "/payload/text"));
    List<String> runners = texts(events, "task.attempt.started", "/payload/runner");
    assertEquals(2, runners.size(), runners::toString);
    assertNotEquals(runners.getFirst(), runners.getLast());
    assertEquals(List.of(), texts(events, "task.retrying", "/payload/reason"));
    long after = 0;
    while (!task(api).path("status").asText().equals("completed")) {
      String page = "/v1/tasks/t/events?after=%d&wait=5".formatted(after);
      after = api.get(page).json().path("next_after").asLong();
    }
    assertEquals(1, task(api).path("attempts").size());
  }

  private static void say(Api api, String run, String content) throws Exception {
    Api.Answer said =
        api.post("/v1/runs/" + run + "/messages", "{\"content\":\"%s\"}".formatted(content));
    assertEquals(202, said.status(), said.json()::toString);
  }

  private static JsonNode command(Api api, String outcome, String name, String more)
      throws Exception {
    Api.Answer answer =
        api.post(
            "/v1/runtime/commands",
            "{\"command\":\"%s\",\"params\":{\"task_id\":\"t\"%s}}".formatted(name, more));
    assertEquals(200, answer.status(), answer.json()::toString);
    assertEquals(outcome, answer.json().path("outcome").asText(), answer.json()::toString);
    return answer.json();
  }

  private static JsonNode task(Api api) throws Exception {
    return api.get("/v1/tasks/t").json();
  }

  private static List<String> texts(List<JsonNode> events, String type, String pointer) {
    return events.stream()
        .filter(event -> event.path("type").asText().equals(type))
        .map(event -> event.at(pointer).asText())
        .toList();
  }
}
