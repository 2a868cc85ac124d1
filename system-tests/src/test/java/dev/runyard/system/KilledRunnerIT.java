package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.testkit.git.GitServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `kill -9` of the runner while agents work. Its messages come back after the lease.
@Order(4)
final class KilledRunnerIT {
  @TempDir private Path folder;

  @Test
  void losesNoEventAndEndsEveryRunAsItsPolicySays() throws Exception {
    try (GitServer server = new GitServer(folder.resolve("served"));
        SystemStack stack = SystemStack.emulated(StackFolder.in(folder).withShell())) {
      server.fallsSilent();
      Api api = stack.api();
      String lost = api.run(Api.hold());
      stack.mayFail(lost, "runner_lost");
      List<JsonNode> lostBefore = api.until(lost, "model.completed");
      String retried =
          api.run(Api.asking(server, ",\"retry\":{\"max_attempts\":2,\"on\":[\"runner_lost\"]}"));
      try (Api.Live live = api.stream(retried, 0, true)) {
        List<JsonNode> retriedBefore = api.until(retried, "model.delta");
        assertTrue(!SystemStack.agents(lost).isEmpty());

        stack.killRunners();
        server.speaks();

        JsonNode end = api.ended(lost);
        assertEquals("failed", end.path("status").asText(), end::toString);
        assertEquals("lost", end.path("phase").asText());
        assertEquals("runner_lost", end.path("error").path("code").asText());
        assertEquals(1, end.path("attempt").asInt());
        assertEquals(lostBefore, api.all(lost, 1_000).subList(0, lostBefore.size()));
        SystemStack.awaitAgentsEnd(lost);

        end = api.ended(retried);
        assertEquals("completed", end.path("status").asText(), end::toString);
        assertEquals(2, end.path("attempt").asInt());
        List<JsonNode> all = api.all(retried, 1_000);
        assertEquals(retriedBefore, all.subList(0, retriedBefore.size()));
        assertEquals(2, Api.types(all).stream().filter("task.attempt.started"::equals).count());
        assertEquals(all, live.next(all.size()));
      }
    }
  }
}
