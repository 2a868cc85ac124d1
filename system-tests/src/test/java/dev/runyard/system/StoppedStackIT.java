package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stack with room for one run at a time: what waits, and what remains after a stop.
final class StoppedStackIT {
  @TempDir private Path folder;

  @Test
  void stopsAndLeavesNoProcess() throws Exception {
    StackFolder files = StackFolder.in(folder, Map.of("RunnersMax", "1", "RunsPerRunner", "1"));
    String running;
    List<JsonNode> before;
    try (SystemStack stack = SystemStack.start(files)) {
      Api api = stack.api();
      running = api.run(Api.hold());
      before = api.until(running, "model.completed");
      cancelsARunThatNobodyTook(api);

      stack.stop();

      assertEquals(List.of(), stack.left());
      assertEquals(List.of(), SystemStack.agents(running));
    }
    try (SystemStack stack = SystemStack.start(files)) {
      Api api = stack.api();
      stack.mayFail(running, "runner_stopped");
      JsonNode run = api.ended(running);
      assertEquals("failed", run.path("status").asText(), run::toString);
      assertEquals("runner_stopped", run.path("error").path("code").asText());
      assertEquals(before, api.all(running, 1_000).subList(0, before.size()));
      stopsWhileARunnerWaitsForWork(stack);
    }
  }

  private static void cancelsARunThatNobodyTook(Api api) throws Exception {
    String waiting = api.run(Api.echo(1, 0, ""));
    assertEquals("queued", api.view(waiting).path("phase").asText());
    assertEquals(202, api.cancel(waiting).status());
    JsonNode run = api.ended(waiting);
    assertEquals("cancelled", run.path("status").asText());
    assertEquals(0, run.path("attempt").asInt());
    assertEquals(409, api.cancel(waiting).status());
  }

  /// All runs of many concurrent clients are executed by the only runner.
  private static void stopsWhileARunnerWaitsForWork(SystemStack stack) throws Exception {
    Api api = stack.api();
    List<String> runs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      runs.add(api.run(Api.echo(1, 0, "")));
    }
    Set<String> runners = new HashSet<>();
    for (String run : runs) {
      assertEquals("completed", api.ended(run).path("status").asText());
      api.all(run, 1_000).stream()
          .map(event -> event.at("/payload/runner").asText())
          .filter(runner -> !runner.isEmpty())
          .forEach(runners::add);
    }
    assertEquals(1, runners.size(), runners::toString);
    stack.stop();
    assertEquals(List.of(), stack.left());
  }
}
