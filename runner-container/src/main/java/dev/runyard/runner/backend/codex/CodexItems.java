package dev.runyard.runner.backend.codex;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.runner.backend.PlanReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The items of a process of Codex, each told once however often its lines repeat it.
///
/// What is remembered of an item ends when [#ITEMS_MAX] newer ones have come.
final class CodexItems {

  static final int ITEMS_MAX = 1_024;
  static final int PREVIEW_BYTES_MAX = 4_096;

  private static final Set<String> TOOLS =
      Set.of(
          "command_execution",
          "file_change",
          "mcp_tool_call",
          "web_search",
          "collab_tool_call",
          "collab_agent_tool_call",
          "dynamic_tool_call");
  private static final Set<String> UNTOLD =
      Set.of(
          "user_message",
          "hook_prompt",
          "function_call_output",
          "plan",
          "sub_agent_activity",
          "image_view",
          "image_generation",
          "sleep",
          "entered_review_mode",
          "exited_review_mode",
          "context_compaction");
  private static final Set<String> DONE = Set.of("completed", "failed", "declined", "cancelled");

  private final String callPrefix;
  private final Map<String, Told> items = new LinkedHashMap<>();
  private int unnamed;

  /// @param callPrefix put before the ids of tool calls, which start anew with each process
  CodexItems(String callPrefix) {
    this.callPrefix = callPrefix;
  }

  /// What was told of an item.
  private static final class Told {
    final String type;
    final String tool;
    String text = "";
    boolean pieces;
    boolean done;

    Told(String type, String tool) {
      this.type = type;
      this.tool = tool;
    }
  }

  /// The events of one line about an item; empty when the item's type is not known.
  Optional<List<RunEvent>> events(CodexItem item, boolean last) {
    boolean done = last || DONE.contains(item.status());
    if (TOOLS.contains(item.type())) {
      return Optional.of(tool(item, done));
    }
    return switch (item.type()) {
      case "agent_message" -> Optional.of(message(item, done));
      case "reasoning" -> Optional.of(reasoning(item));
      case "todo_list" -> Optional.of(PlanReader.read(item.json()).stream().toList());
      case "error" -> Optional.of(List.of(notice(item)));
      case String type -> UNTOLD.contains(type) ? Optional.of(List.of()) : Optional.empty();
    };
  }

  /// The ends of the tools that will report none, because the turn or the process is over.
  List<RunEvent> closeTools() {
    List<RunEvent> events = new ArrayList<>();
    items.forEach(
        (id, told) -> {
          if (!told.done && TOOLS.contains(told.type)) {
            told.done = true;
            events.add(
                new RunEvent.ToolFailed(callPrefix + id, told.tool, told.type, null, null, 0));
          }
        });
    return events;
  }

  private List<RunEvent> message(CodexItem item, boolean done) {
    List<RunEvent> events = new ArrayList<>();
    Told told = told(item);
    if (told.done) {
      return events;
    }
    String whole = item.piece() ? told.text + item.text() : item.text();
    if (!told.text.isEmpty() && !whole.startsWith(told.text) && !whole.isEmpty()) {
      events.add(new RunEvent.ModelCompleted());
      told.text = "";
    }
    events.addAll(rest(told, whole, RunEvent.ModelDelta::new));
    if (done) {
      events.add(new RunEvent.ModelCompleted());
      finish(told);
    }
    return events;
  }

  private List<RunEvent> reasoning(CodexItem item) {
    Told told = told(item);
    String whole = item.piece() ? told.text + item.text() : item.text();
    boolean repeats = told.pieces && !item.piece();
    told.pieces |= item.piece();
    return repeats ? List.of() : rest(told, whole, RunEvent.ReasoningDelta::new);
  }

  private static List<RunEvent> rest(Told told, String whole, Function<String, RunEvent> event) {
    String rest = whole.startsWith(told.text) ? whole.substring(told.text.length()) : whole;
    told.text = whole.isEmpty() ? told.text : whole;
    return rest.isEmpty()
        ? List.of()
        : Bounds.split(Bounds.wellFormed(rest), Limits.TEXT_BYTES_MAX).stream().map(event).toList();
  }

  private List<RunEvent> tool(CodexItem item, boolean done) {
    List<RunEvent> events = new ArrayList<>();
    boolean first = item.id().isEmpty() || !items.containsKey(item.id());
    Told told = told(item);
    String id = callPrefix + (item.id().isEmpty() ? "unnamed_" + unnamed : item.id());
    if (first) {
      events.add(new RunEvent.ToolStarted(id, told.tool, told.type, preview(item.tool().input())));
    }
    if (told.done) {
      return events;
    }
    if (done) {
      finish(told);
      events.add(result(item, id, told));
      if (!item.failed()) {
        item.edits().forEach(edit -> events.add(edit.told(id)));
      }
    } else if (!first) {
      events.add(new RunEvent.ToolProgress(id, told.tool, told.type, preview(item.output())));
    }
    return events;
  }

  private static RunEvent result(CodexItem item, String id, Told told) {
    String output = item.output();
    @Nullable Integer exitCode = item.exitCode().orElse(null);
    @Nullable String whole = output.isEmpty() ? null : output;
    long bytes = Bounds.bytes(output);
    return item.failed()
        ? new RunEvent.ToolFailed(id, told.tool, told.type, exitCode, whole, bytes)
        : new RunEvent.ToolResult(id, told.tool, told.type, exitCode, whole, bytes);
  }

  private static RunEvent notice(CodexItem item) {
    boolean metadata = item.json().path("message").asText("").startsWith("Model metadata for");
    return metadata
        ? new RunEvent.RuntimeWarning(
            "unknown_model_name",
            "Codex does not know this model's limits and uses its defaults for them.")
        : new RunEvent.RuntimeWarning(
            "agent_notice", "Codex reported a problem that did not stop its turn.");
  }

  private static @Nullable String preview(String text) {
    return text.isEmpty() ? null : Bounds.truncate(Bounds.wellFormed(text), PREVIEW_BYTES_MAX);
  }

  private static void finish(Told told) {
    told.done = true;
    told.text = "";
  }

  private Told told(CodexItem item) {
    String id = item.id().isEmpty() ? "unnamed_" + ++unnamed : item.id();
    Told told = items.computeIfAbsent(id, _ -> new Told(item.type(), item.tool().name()));
    if (items.size() > ITEMS_MAX) {
      items.remove(items.keySet().iterator().next());
    }
    return told;
  }
}
