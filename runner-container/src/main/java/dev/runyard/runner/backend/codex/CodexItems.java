package dev.runyard.runner.backend.codex;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.runner.backend.Remembered;
import dev.runyard.runner.backend.ToldText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The items of a Codex process, each reported once, however often its lines repeat it. An item is
/// forgotten when [#ITEMS_MAX] newer ones have come, or too much is [Remembered].
final class CodexItems {

  static final int ITEMS_MAX = 1_024;
  static final int PREVIEW_BYTES_MAX = 4_096;

  private static final String MESSAGE = "agent_message";
  private static final String THOUGHT = "reasoning";

  private final String callPrefix;
  private final Remembered<Told> items = new Remembered<>(ITEMS_MAX, Told::chars);
  private int unnamed;

  /// @param callPrefix put before the ids of tool calls, which start again with each process
  CodexItems(String callPrefix) {
    this.callPrefix = callPrefix;
  }

  /// What was reported about an item.
  private static final class Told {
    final String id;
    final String type;
    final String tool;
    final ToldText text = new ToldText();
    boolean pieces;
    boolean done;

    Told(String id, String type, String tool) {
      this.id = id;
      this.type = type;
      this.tool = tool;
    }

    long chars() {
      return (long) id.length() + type.length() + tool.length() + text.chars();
    }
  }

  /// The events of an item's current state.
  List<RunEvent> events(CodexItem item) {
    return switch (item) {
      case CodexItem.Message message -> message(message);
      case CodexItem.Thought thought -> thought(thought);
      case CodexItem.ToolCall call -> tool(call);
      case CodexItem.Plan(RunEvent plan) -> List.of(plan);
      case CodexItem.Notice(String message) -> List.of(notice(message));
      case CodexItem.Untold _, CodexItem.Unknown _ -> List.of();
    };
  }

  /// The ends of tools that will not report their own, because the turn or the process is over.
  List<RunEvent> closeTools() {
    List<RunEvent> events = new ArrayList<>();
    for (Told told : items.values()) {
      if (!told.done && !told.type.equals(MESSAGE) && !told.type.equals(THOUGHT)) {
        told.done = true;
        events.add(
            new RunEvent.ToolFailed(callPrefix + told.id, told.tool, told.type, null, null, 0));
      }
    }
    return events;
  }

  private List<RunEvent> message(CodexItem.Message message) {
    List<RunEvent> events = new ArrayList<>();
    Told told = told(message.id(), MESSAGE, MESSAGE);
    if (told.done) {
      return events;
    }
    CodexItem.Text text = message.text();
    boolean other = !text.piece() && !text.text().isEmpty() && !told.text.begins(text.text());
    if (other && !told.text.isEmpty()) {
      events.add(new RunEvent.ModelCompleted());
      told.text.clear();
    }
    events.addAll(rest(told, text, RunEvent.ModelDelta::new));
    if (message.done()) {
      events.add(new RunEvent.ModelCompleted());
      finish(told);
    }
    items.put(told.id, told);
    return events;
  }

  private List<RunEvent> thought(CodexItem.Thought thought) {
    Told told = told(thought.id(), THOUGHT, THOUGHT);
    if (told.pieces && !thought.text().piece()) {
      return List.of();
    }
    told.pieces |= thought.text().piece();
    List<RunEvent> events = rest(told, thought.text(), RunEvent.ReasoningDelta::new);
    items.put(told.id, told);
    return events;
  }

  private static List<RunEvent> rest(
      Told told, CodexItem.Text text, Function<String, RunEvent> event) {
    String rest = text.piece() ? text.text() : told.text.rest(text.text());
    if (!text.piece() && !text.text().isEmpty()) {
      told.text.clear();
    }
    told.text.add(text.text());
    return rest.isEmpty()
        ? List.of()
        : Bounds.split(Bounds.wellFormed(rest), Limits.TEXT_BYTES_MAX).stream().map(event).toList();
  }

  private List<RunEvent> tool(CodexItem.ToolCall call) {
    List<RunEvent> events = new ArrayList<>();
    boolean first = call.id().isEmpty() || !items.has(call.id());
    Told told = told(call.id(), call.type(), call.name());
    String id = callPrefix + told.id;
    if (first) {
      events.add(new RunEvent.ToolStarted(id, told.tool, told.type, preview(call.input())));
    }
    if (told.done) {
      return events;
    }
    CodexItem.Result result = call.result();
    if (call.done()) {
      finish(told);
      events.add(end(id, told, result));
      if (!result.failed()) {
        result.edits().forEach(edit -> events.add(edit.told(id)));
      }
    } else if (!first) {
      events.add(
          new RunEvent.ToolProgress(id, told.tool, told.type, preview(result.output()), null));
    }
    return events;
  }

  private static RunEvent end(String id, Told told, CodexItem.Result result) {
    String output = result.output();
    @Nullable Integer exitCode = result.exitCode().orElse(null);
    @Nullable String whole = output.isEmpty() ? null : output;
    long bytes = Bounds.bytes(output);
    return result.failed()
        ? new RunEvent.ToolFailed(id, told.tool, told.type, exitCode, whole, bytes)
        : new RunEvent.ToolResult(id, told.tool, told.type, exitCode, whole, bytes);
  }

  private static RunEvent notice(String message) {
    return message.startsWith("Model metadata for")
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
    told.text.clear();
  }

  private Told told(String itemId, String type, String tool) {
    String id = itemId.isEmpty() ? "unnamed_" + ++unnamed : itemId;
    Told known = items.get(id);
    Told told = known == null ? new Told(id, type, tool) : known;
    items.put(id, told);
    return told;
  }
}
