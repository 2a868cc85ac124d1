package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.CacheFolder;
import dev.runyard.cli.demo.Folders;
import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.local.model.ScriptedModelServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Genuine CLIs whose runs wait for a person for longer than they may keep their places.
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
final class PausedAgentIT {
  private static final List<String> KINDS = List.of("claude_code", "codex");
  private static final String SLOTS = String.valueOf(KINDS.size());
  private static final String KEY = "MODEL_KEY";
  private static final String PROMPT =
      "[[sh echo one > made; chmod 750 made; ln -s made link]]"
          + " [[sh cat link && test -x made && echo ran >> ran && cat ran]] [[say Done.]]";

  private final Path folder;
  private final ScriptedModelServer model;

  /// Codex does not work below a temporary folder.
  PausedAgentIT() throws Exception {
    Path work = CacheFolder.of(System.getenv()).resolve("work");
    folder = Files.createTempDirectory(Files.createDirectories(work), "paused-");
    model = ScriptedModelServer.start(0, _ -> {});
  }

  @AfterEach
  void close() throws Exception {
    model.close();
    Folders.delete(folder);
  }

  @Test
  void givesItsPlaceUpAndContinuesAtAnotherRunner() throws Exception {
    try (SystemStack stack = start("1")) {
      Api api = stack.api();
      List<String> runs = new ArrayList<>();
      for (String kind : KINDS) {
        runs.add(api.run(asking(kind)));
      }
      for (String run : runs) {
        api.until(run, "task.paused");
        approve(api, run, 1);
      }
      for (String run : runs) {
        api.until(run, "task.paused", 2);
      }
      for (String ignored : KINDS) {
        assertEquals("completed", status(api, api.run(Api.echo(1, 0, ""))));
      }
      stack.killRunners();

      for (String run : runs) {
        approve(api, run, 2);
      }

      for (String run : runs) {
        JsonNode view = api.ended(run);
        assertEquals("completed", view.path("status").asText(), view::toString);
        assertEquals("Done.", view.path("final_text").asText().strip());
        checkLog(api.all(run, 1_000));
      }
    }
  }

  @Test
  void areLostWithARunnerThatKeptNothing() throws Exception {
    try (SystemStack stack = start("600")) {
      Api api = stack.api();
      String run = api.run(asking(KINDS.getFirst()));
      stack.mayFail(run, "runner_lost");
      api.until(run, "task.waiting");
      stack.killRunners();
      approve(api, run, 1);

      JsonNode view = api.ended(run);

      assertEquals("failed", view.path("status").asText(), view::toString);
      assertEquals("runner_lost", view.at("/error/code").asText());
      assertTrue(Api.types(api.all(run, 1_000)).contains("task.lost"));
    }
  }

  /// Asked twice, done twice, on two runners, with the files of the first attempt at the second.
  private static void checkLog(List<JsonNode> events) {
    List<String> runners = texts(events, "task.attempt.started", "/payload/runner");
    assertEquals(3, runners.size(), runners::toString);
    assertNotEquals(runners.getFirst(), runners.getLast());
    assertEquals(2, texts(events, "action.required", "/payload/actionId").size());
    assertEquals(2, texts(events, "process.input", "/payload/actionId").size());
    List<String> results = texts(events, "tool.result", "/payload/preview");
    assertEquals(2, results.size(), results::toString);
    assertEquals(List.of("one", "ran"), results.getLast().lines().toList());
  }

  private static List<String> texts(List<JsonNode> events, String type, String pointer) {
    return events.stream()
        .filter(event -> event.path("type").asText().equals(type))
        .map(event -> event.at(pointer).asText())
        .toList();
  }

  /// Approves the run's n-th action.
  private static void approve(Api api, String run, int n) throws Exception {
    String action = run + "." + n;
    JsonNode view = api.view(run);
    while (!view.at("/await_request/action_id").asText().equals(action)) {
      assertTrue(!view.path("closed").asBoolean(), view::toString);
      Thread.onSpinWait();
      view = api.view(run);
    }
    Api.Answer answer = api.post("/v1/actions/" + action, "{\"decision\":\"approve\"}");
    assertEquals(200, answer.status(), answer::toString);
  }

  private static String status(Api api, String run) throws Exception {
    return api.ended(run).path("status").asText();
  }

  private static String asking(String kind) throws Exception {
    ObjectNode request = Api.JSON.createObjectNode().put("agent", kind).put("prompt", PROMPT);
    request.putObject("extensions").put("agent_api.exec.non_interactive", false);
    return Api.JSON.writeValueAsString(request);
  }

  private SystemStack start(String grace) throws Exception {
    StackFolder files =
        StackFolder.in(
            folder, Map.of("RunnersMax", "1", "RunsPerRunner", SLOTS, "AwaitGraceSeconds", grace));
    Map<String, String> env = System.getenv();
    AgentInstall install = AgentInstall.of(env, CacheFolder.of(env));
    ObjectNode document = Api.JSON.createObjectNode();
    ObjectNode agents = document.putObject("agents");
    for (String kind : KINDS) {
      boolean codex = kind.equals("codex");
      ObjectNode agent = agents.putObject(kind);
      agent.put("program", install.program(AgentPackage.of(kind)).toString());
      agent.put("endpoint", (codex ? model.baseUrl() : model.origin()).toString());
      agent.put("model", codex ? "gpt-5.5" : "scripted-model").put("api_key_env", KEY);
      agent
          .putObject("env")
          .put(KEY, "any-key-will-do")
          .put("ANTHROPIC_API_KEY", "any-key-will-do");
    }
    Files.writeString(files.agents(), document.toString());
    return SystemStack.emulated(files);
  }
}
