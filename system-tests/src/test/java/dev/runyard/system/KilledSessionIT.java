package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// `kill -9` of the runner between the runs of a session, and during one. The next runner has the
/// files that the last finished run left.
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
final class KilledSessionIT {
  @TempDir private Path folder;

  @Test
  void findsTheFilesOfTheLastFinishedRunOnTheNextRunner() throws Exception {
    StackFolder files = StackFolder.in(folder);
    Files.writeString(
        files.agents(), "{\"agents\":{\"shell\":{\"program\":\"/bin/sh\",\"command\":{}}}}");
    Path served = folder.resolve("served");
    try (GitServer server = new GitServer(served);
        SystemStack stack = SystemStack.emulated(files)) {
      Repository.create(served.resolve("shop")).commit("file", "fetched\n");
      Api api = stack.api();
      String first =
          api.run(
              """
              {"agent":"shell","prompt":"echo one > left","workspace":{"git":{"url":"%s"}}}
              """
                  .formatted(server.url("shop")));
      completed(api, first);
      int asked = server.asked().size();

      stack.killRunners();
      String next = api.run(after(first, "cat file left; git status --porcelain"));
      assertEquals("fetched\none\n?? left", completed(api, next));

      String lost = api.run(after(first, "echo two > left; echo begun; sleep 1000"));
      stack.mayFail(lost, "runner_lost");
      api.until(lost, "model.delta");
      stack.killRunners();
      assertEquals("runner_lost", api.ended(lost).path("error").path("code").asText());
      SystemStack.awaitAgentsEnd(lost);

      assertEquals("one", completed(api, api.run(after(first, "cat left"))));
      assertEquals(asked, server.asked().size());
    }
  }

  private static String completed(Api api, String id) throws Exception {
    JsonNode end = api.ended(id);
    assertEquals("completed", end.path("status").asText(), end::toString);
    return end.path("final_text").asText();
  }

  private static String after(String session, String script) {
    return """
    {"agent":"shell","prompt":"%s","session_id":"%s"}
    """
        .formatted(script, session);
  }
}
