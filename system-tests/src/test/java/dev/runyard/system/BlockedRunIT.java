package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stack whose runners stop before they are ready.
@Order(4)
final class BlockedRunIT {
  private static final String SOUND = "RUNYARD_RUNS_PER_RUNNER, Value: !Ref RunsPerRunner }";

  @TempDir private Path folder;

  @Test
  void saysInTheRunWhyNoRunnerStarts() throws Exception {
    StackFolder files = StackFolder.in(folder);
    Path template = files.home().resolve("template.yaml");
    String sound = Files.readString(template);
    String broken = sound.replace(SOUND, "RUNYARD_RUNS_PER_RUNNER, Value: none }");
    assertNotEquals(sound, broken);
    Files.writeString(template, broken);

    try (SystemStack stack = SystemStack.start(files)) {
      Api api = stack.api();
      String run = api.run(Api.echo(1, 0, ""));

      List<JsonNode> events = api.until(run, "task.blocked");

      assertEquals("stopped", events.getLast().at("/payload/cause").asText());
      JsonNode view = api.view(run);
      assertEquals("queued", view.path("phase").asText());
      assertEquals("runner_start_failed", view.at("/blocked/code").asText());
      assertEquals("capacity", view.at("/blocked/category").asText());
      assertEquals(202, api.cancel(run).status());
      assertEquals("cancelled", api.ended(run).path("status").asText());
    }
  }

  /// ECS takes such a task, and stops it when the registry has said no.
  @Test
  void saysInTheRunThatTheImageIsMissing() throws Exception {
    StackFolder files = StackFolder.in(folder);
    try (SystemStack stack =
        SystemStack.emulated(files, "--set", "RunnerImage=registry.invalid/runner:1")) {
      Api api = stack.api();
      String run = api.run(Api.echo(1, 0, ""));

      List<JsonNode> events = api.until(run, "task.blocked");

      assertEquals("no_image", events.getLast().at("/payload/cause").asText());
      String message = api.view(run).at("/blocked/message").asText();
      assertTrue(message.contains("Push an image"), message);
      assertEquals(202, api.cancel(run).status());
      assertEquals("cancelled", api.ended(run).path("status").asText());
    }
  }
}
