package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.CacheFolder;
import dev.runyard.cli.demo.AgentsFile;
import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.local.model.ModelExchange;
import dev.runyard.local.model.ScriptedModelServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The genuine Codex continues its own session on another runner.
@Order(7)
final class CodexSessionIT {
  private static final String RESUME = "agent_api.session.resume.v1";
  @TempDir private Path folder;

  @Test
  void remembersTheSessionAfterItsRunnerIsGone() throws Exception {
    Map<String, String> env = System.getenv();
    Path codex = AgentInstall.of(env, CacheFolder.of(env)).program(AgentPackage.of("codex"));
    List<ModelExchange> exchanges = new CopyOnWriteArrayList<>();
    try (ScriptedModelServer model = ScriptedModelServer.start(0, exchanges::add)) {
      StackFolder stackFolder = StackFolder.in(folder);
      AgentsFile.codex(folder, codex, model.baseUrl());
      try (SystemStack stack = SystemStack.emulated(stackFolder)) {
        goesOn(stack, exchanges);
      }
    }
  }

  private static void goesOn(SystemStack stack, List<ModelExchange> exchanges) throws Exception {
    Api api = stack.api();
    JsonNode first = said(api, "[[say One.]]", "");
    String session = first.path("session_id").asText();
    String thread = nativeSession(api, first);
    assertEquals(first.path("run_id").asText(), session, "a run begins a session of its own");
    stack.killRunners();

    JsonNode second = said(api, "[[say Two.]]", ",\"session_id\":\"" + session + "\"");
    assertEquals(thread, nativeSession(api, second), "the session of the run");

    String byId = ",\"extensions\":{\"%s\":{\"selector\":\"id\",\"id\":\"%s\"}}";
    JsonNode third = said(api, "[[say Three.]]", byId.formatted(RESUME, thread));
    assertEquals(thread, nativeSession(api, third), "the agent's own session");
    assertNotEquals(session, third.path("session_id").asText());
    assertEquals(3, exchanges.size(), exchanges::toString);

    JsonNode unknown =
        run(api, "[[say Four.]]", byId.formatted(RESUME, "00000000-0000-7000-8000-00000000dead"));
    stack.mayFail(unknown.path("run_id").asText(), "session_not_found");
    assertEquals("failed", unknown.path("status").asText());
    assertEquals("session_not_found", unknown.path("error").path("code").asText());
    assertEquals(3, exchanges.size(), "no new session without a word");
  }

  private static JsonNode said(Api api, String prompt, String more) throws Exception {
    JsonNode run = run(api, prompt, more);
    assertEquals("completed", run.path("status").asText(), run::toString);
    return run;
  }

  private static JsonNode run(Api api, String prompt, String more) throws Exception {
    return api.ended(api.run("{\"agent\":\"codex\",\"prompt\":\"%s\"%s}".formatted(prompt, more)));
  }

  private static String nativeSession(Api api, JsonNode run) throws Exception {
    List<JsonNode> told =
        api.all(run.path("run_id").asText(), 1_000).stream()
            .filter(event -> event.path("type").asText().equals("session.updated"))
            .toList();
    assertTrue(told.size() == 1, told::toString);
    return told.getFirst().path("payload").path("nativeSessionId").asText();
  }
}
