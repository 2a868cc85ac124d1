package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.PlanEntry;
import dev.runyard.core.event.RunEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ToolFactsTest {
  private static final ToolFacts FACTS =
      new ToolFacts(Set.of("edit"), Set.of("write"), Set.of("todo"));

  private final ToolCalls calls = new ToolCalls("a/", FACTS);

  @Test
  void anEditChangesTheFileItsInputNames() {
    assertEquals(changed("f", FileChange.MODIFIED), call("edit", "{'file_path':'f'}", false));
    assertEquals(changed("g", FileChange.MODIFIED), call("edit", "{'filePath':'g'}", false));
    assertEquals(changed("h", null), call("write", "{'path':'h'}", false));
    assertEquals(changed("i", null), call("edit", "{'file_path':'i','old_string':''}", false));
    assertEquals(List.of(), call("edit", "{'pattern':'x'}", false));
    assertEquals(List.of(), call("read", "{'file_path':'f'}", false));
  }

  @Test
  void whatFailedChangedNothing() {
    assertEquals(List.of(), call("edit", "{'file_path':'f'}", true));
    assertEquals(List.of(), call("todo", "{'todos':[{'content':'look'}]}", true));
  }

  @Test
  void whatTheResultSaysCountsMore() {
    calls.started("c", "write", json("{'file_path':'f'}"));
    FileEdit edit = new FileEdit("/w/f", FileChange.CREATED);
    assertEquals(
        List.of(edit.told("a/c")),
        tail(calls.ended("c", ToolCalls.Result.of(false, "").with(List.of(edit)))));
  }

  @Test
  void anInputThatComesLaterCounts() {
    calls.started("c", "write", MissingNode.getInstance());
    calls.started("c", "write", json("{'file_path':'f'}"));
    assertEquals(
        List.of(new RunEvent.ArtifactChanged("a/c", "f", null)),
        tail(calls.ended("c", ToolCalls.Result.of(false, ""))));
    assertEquals(List.of(), calls.ended("c", ToolCalls.Result.of(false, "")));
  }

  @Test
  void aPlanIsReadWhateverItsMembersAreCalled() {
    List<RunEvent> plan =
        List.of(
            new RunEvent.TaskProgress(
                List.of(
                    new PlanEntry("look", PlanEntry.Status.COMPLETED),
                    new PlanEntry("do", PlanEntry.Status.IN_PROGRESS),
                    new PlanEntry("test", PlanEntry.Status.PENDING))));
    assertEquals(
        plan,
        call(
            "todo",
            "{'todos':[{'content':'look','status':'completed'},"
                + "{'content':'do','status':'in_progress'},{'content':'test'},{'content':' '}]}",
            false));
    assertEquals(
        plan,
        call(
            "todo",
            "{'todos':[{'description':'look','status':'cancelled'},"
                + "{'description':'do','status':'in_progress'},{'description':'test','status':'?'}]}",
            false));
    assertEquals(Optional.empty(), PlanReader.read(json("{'todos':'- look'}")));
  }

  private List<RunEvent> call(String tool, String input, boolean fails) {
    ToolCalls fresh = new ToolCalls("a/", FACTS);
    fresh.started("c", tool, json(input));
    return tail(fresh.ended("c", ToolCalls.Result.of(fails, "said")));
  }

  private static List<RunEvent> changed(String path, @Nullable FileChange change) {
    return List.of(new RunEvent.ArtifactChanged("a/c", path, change));
  }

  private static List<RunEvent> tail(List<RunEvent> events) {
    return events.subList(1, events.size());
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
