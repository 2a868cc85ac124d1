package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// `kill -9` of the runner while it checks a repository out, and while a setup command runs. No
/// agent was started, so another runner begins again.
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
final class KilledCheckoutIT {
  @TempDir private Path folder;

  @Test
  void beginsAgainOnTheNextRunner() throws Exception {
    StackFolder files = StackFolder.in(folder);
    Files.writeString(
        files.agents(), "{\"agents\":{\"shell\":{\"program\":\"/bin/sh\",\"command\":{}}}}");
    Path served = folder.resolve("served");
    try (GitServer server = new GitServer(served);
        SystemStack stack = SystemStack.emulated(files)) {
      Repository.create(served.resolve("first/shop")).commit("file", "from the repository\n");
      Repository.create(served.resolve("hold/shop")).commit("file", "of the other one\n");
      Api api = stack.api();
      server.fallsSilent("/hold");
      String cloning = api.run(shell(server.url("hold/shop"), "true"));
      String setUp =
          api.run(
              shell(server.url("first/shop"), "git ls-remote " + server.url("hold/x") + " || :"));
      stack.mayFail(cloning);
      stack.mayFail(setUp);
      while (server.asked().stream().filter(path -> path.startsWith("/hold")).count() < 2) {
        Thread.onSpinWait();
      }

      stack.killRunners();
      server.speaks();

      assertEquals("of the other one", done(api, cloning));
      assertEquals("from the repository", done(api, setUp));
      SystemStack.awaitAgentsEnd(cloning);
      SystemStack.awaitAgentsEnd(setUp);
    }
  }

  private static String done(Api api, String id) throws Exception {
    JsonNode end = api.ended(id);
    assertEquals("completed", end.path("status").asText(), end::toString);
    assertEquals(2, end.path("attempt").asInt());
    List<String> types = Api.types(api.all(id, 1_000));
    assertEquals(1, types.stream().filter("context.resolved"::equals).count(), types::toString);
    assertTrue(types.indexOf("hook.completed") > types.indexOf("process.started"));
    return end.path("final_text").asText();
  }

  private static String shell(String url, String setup) {
    return """
    {"agent":"shell","prompt":"cat file","workspace":{"git":{"url":"%s"},"setup":["%s"]}}
    """
        .formatted(url, setup);
  }
}
