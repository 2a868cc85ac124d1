package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.testkit.git.GitServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `kill -9` of the whole stack in mid-run, twice, and a restart with its data.
@Order(3)
final class KilledStackIT {
  @TempDir private Path folder;

  private final Map<String, List<JsonNode>> seen = new LinkedHashMap<>();

  @Test
  void losesNoEventAndEveryRunEnds() throws Exception {
    StackFolder files = StackFolder.in(folder).withShell();
    try (GitServer server = new GitServer(folder.resolve("served"))) {
      server.fallsSilent();
      losesNothing(files, server);
    }
  }

  private void losesNothing(StackFolder files, GitServer server) throws Exception {
    String done;
    String held;
    String retried;
    String waiting;
    Api.Answer keyed;
    try (SystemStack stack = SystemStack.start(files)) {
      Api api = stack.api();
      done = api.run(Api.echo(20, 1, ""));
      seen.put(done, api.all(done, 1_000));
      keyed = api.submit("kept", Api.echo(1, 0, ""));
      held = see(api, Api.hold(), "model.completed");
      retried = see(api, Api.asking(server, ",\"retry\":{\"max_attempts\":3}"), "model.delta");
      waiting =
          see(
              api,
              """
              {"agent":"echo","prompt":"hi","extensions":{"backend.echo.fail":true},
               "retry":{"max_attempts":2,"backoff_seconds":15}}
              """,
              "task.retrying");
      stack.kill();
    }
    SystemStack.awaitAgentsEnd(held);
    server.speaks();
    assertEquals(List.of(), SystemStack.agents(held), "agents whose stack is gone are ended");

    String later;
    try (SystemStack stack = SystemStack.start(files)) {
      checkNothingLost(stack.api());
      assertEquals(keyed.json(), stack.api().submit("kept", Api.echo(1, 0, "")).json());
      later = see(stack.api(), Api.hold(), "model.completed");
      stack.killAll();
    }
    assertTrue(!SystemStack.agents(later).isEmpty(), "nobody was left to end this agent");

    try (SystemStack stack = SystemStack.start(files)) {
      Api api = stack.api();
      stack.mayFail(held, "runner_lost");
      stack.mayFail(waiting, "echo_failed");
      stack.mayFail(later, "runner_lost");
      checkNothingLost(api);
      assertEquals("completed", api.ended(done).path("status").asText());
      assertEquals("failed", api.ended(held).path("status").asText());
      JsonNode again = api.ended(retried);
      assertEquals("completed", again.path("status").asText(), again::toString);
      assertTrue(again.path("attempt").asInt() > 1, again::toString);
      assertEquals("echo_failed", api.ended(waiting).path("error").path("code").asText());
      assertEquals("lost", api.ended(later).path("phase").asText());
      SystemStack.awaitAgentsEnd(later);
      checkNothingLost(api);
    }
  }

  /// Submits a run and reads it up to an event of this type.
  private String see(Api api, String body, String type) throws IOException, InterruptedException {
    String id = api.run(body);
    seen.put(id, api.until(id, type));
    return id;
  }

  private void checkNothingLost(Api api) throws IOException, InterruptedException {
    for (Map.Entry<String, List<JsonNode>> run : seen.entrySet()) {
      List<JsonNode> before = run.getValue();
      JsonNode now = api.get("/v1/runs/" + run.getKey() + "/events?limit=1000").json();
      assertTrue(now.path("events").size() >= before.size(), now::toString);
      for (int i = 0; i < before.size(); i++) {
        assertEquals(before.get(i), now.path("events").path(i));
      }
    }
  }
}
