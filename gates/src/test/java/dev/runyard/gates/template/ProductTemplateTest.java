package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.FunctionDeclaration;
import dev.runyard.local.template.QueueDeclaration;
import dev.runyard.local.template.TableDeclaration;
import dev.runyard.local.template.TaskDeclaration;
import dev.runyard.local.template.Template;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ProductTemplateTest {
  private final Blueprint blueprint =
      new Blueprint(Template.read(Path.of("..", "template.yaml"), Map.of()));

  @Test
  void everyResourceHasALocalPartOrIsListedAsNotNeeded() {
    assertEquals(
        Set.of("EventsTable", "ViewsTable"),
        blueprint.tables().stream().map(TableDeclaration::logicalId).collect(Collectors.toSet()));
    assertEquals(
        Set.of("RunQueue", "DeadLetterQueue", "StreamFailureQueue"),
        blueprint.queues().stream().map(QueueDeclaration::logicalId).collect(Collectors.toSet()));
    assertEquals(1, blueprint.clusters().size());
    assertTrue(blueprint.notNeeded().contains("FunctionLogs"));
  }

  @Test
  void everyVariableResolves() {
    Map<String, String> urls =
        blueprint.queues().stream()
            .collect(Collectors.toMap(QueueDeclaration::logicalId, q -> "http://q/" + q.name()));
    for (FunctionDeclaration function : blueprint.functions()) {
      assertEquals(
          "EventsTable", blueprint.environment(function, urls).get("RUNYARD_EVENTS_TABLE"));
    }
    List<TaskDeclaration> tasks = blueprint.tasks();
    assertEquals(1, tasks.size());
    assertEquals(
        "http://q/RunQueue",
        blueprint.environment(tasks.getFirst(), urls).get("RUNYARD_RUN_QUEUE_URL"));
  }
}
