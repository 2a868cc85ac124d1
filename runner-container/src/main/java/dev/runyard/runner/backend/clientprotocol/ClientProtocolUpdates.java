package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.runner.backend.FileEdit;
import dev.runyard.runner.backend.OutputWarnings;
import dev.runyard.runner.backend.PlanReader;
import dev.runyard.runner.backend.Remembered;
import dev.runyard.runner.backend.ToolCalls;
import dev.runyard.runner.backend.ToolFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// An agent's updates on its turn (`session/update`), as events of a run. Not thread-safe.
final class ClientProtocolUpdates {
  /// Tool calls whose input and output so far are remembered.
  static final int CALLS_MAX = 256;

  /// A plan that an agent states only by a tool, without an update.
  private static final ToolFacts FACTS = new ToolFacts(Set.of(), Set.of(), Set.of("todowrite"));

  /// Characters of their outputs that are held until they end.
  static final int HELD_CHARS_MAX = 4 * 1024 * 1024;

  private final String callPrefix;
  private final OutputWarnings warnings;
  private final ClientProtocolUsage usage;
  private final ClientProtocolText text;
  private final ToolCalls tools;
  private final Remembered<Seen> seen = new Remembered<>(CALLS_MAX, Seen::chars);

  /// The latest state of a call until it has ended.
  private static final class Seen {
    private final String name;
    private String input = "";
    private String outline = "{}";
    private boolean unsure;
    private boolean ended;
    private String status = "";
    private ToolCalls.Result output = ToolCalls.Result.of(false, "");
    private List<FileEdit> edits = List.of();

    Seen(String name) {
      this.name = name;
    }

    /// Without its output, which has a bound of its own.
    long chars() {
      return (long) name.length() + input.length() + outline.length() + FileEdit.chars(edits);
    }
  }

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  ClientProtocolUpdates(
      String callPrefix,
      OutputWarnings warnings,
      ClientProtocolUsage usage,
      ClientProtocolText text) {
    this.callPrefix = callPrefix;
    this.warnings = warnings;
    this.usage = usage;
    this.text = text;
    this.tools = new ToolCalls(callPrefix, FACTS);
  }

  List<RunEvent> of(JsonNode update) {
    String type = update.path("sessionUpdate").asText("");
    return switch (type) {
      case "agent_message_chunk" -> {
        usage.update(update);
        yield content(update, true);
      }
      case "agent_thought_chunk" -> content(update, false);
      case "tool_call", "tool_call_update" -> tool(ClientProtocolTool.of(update));
      case "plan" -> plan(update);
      case "usage_update" -> {
        usage.update(update);
        yield List.of();
      }
      case "user_message_chunk",
          "available_commands_update",
          "current_mode_update",
          "config_option_update",
          "session_info_update" ->
          List.of();
      default -> warnings.unknown("update " + type);
    };
  }

  /// A tool call, described in an update or in a request for permission.
  List<RunEvent> tool(ClientProtocolTool tool) {
    if (tool.id().isEmpty()) {
      return warnings.unknown("tool call without an id");
    }
    List<RunEvent> events = new ArrayList<>(text.close());
    Seen call = seen.get(tool.id());
    if (call == null) {
      call = new Seen(tool.name());
      call.input = tool.hasInput() ? tool.input().toString() : "";
      events.addAll(tools.started(tool.id(), tool.name(), tool.input()));
    } else if (tool.hasInput() && !tool.input().toString().equals(call.input)) {
      call.input = tool.input().toString();
      events.addAll(tools.started(tool.id(), tool.name(), tool.input()));
    }
    boolean failed = tool.status().equals("failed");
    call.output = tool.result(failed).map(this::held).orElse(call.output);
    call.unsure |= tool.unsure();
    List<FileEdit> edits = tool.edits(call.unsure);
    call.edits = edits.isEmpty() ? call.edits : edits;
    if (!call.ended) {
      boolean begun = !call.status.isEmpty() || tool.status().equals("in_progress");
      call.outline = tool.outline(call.outline, begun);
    }
    seen.put(tool.id(), call);
    switch (tool.status()) {
      case "in_progress" -> {
        if (!call.status.equals("in_progress")) {
          events.addAll(tools.progressed(tool.id()));
        }
        call.status = "in_progress";
      }
      case "completed", "failed" -> {
        ToolCalls.Result last = call.output;
        events.addAll(
            tools.ended(
                tool.id(),
                new ToolCalls.Result(
                    failed, last.exitCode(), last.output(), last.bytes(), call.edits)));
        call.output = ToolCalls.Result.of(failed, "");
        call.input = "";
        call.outline = "{}";
        call.ended = true;
        call.edits = List.of();
        seen.put(tool.id(), call);
      }
      default -> {}
    }
    return events;
  }

  /// A description of a call with what was told of it before; if that is nothing, with a title that
  /// no other call of the run has.
  ClientProtocolTool whole(ClientProtocolTool tool) {
    Seen call = seen.get(tool.id());
    ClientProtocolTool whole = call == null ? tool : tool.over(call.outline);
    return whole.titled(callPrefix + tool.id());
  }

  /// The name of a tool when it was first reported.
  String name(ClientProtocolTool tool) {
    Seen call = seen.get(tool.id());
    return call == null ? tool.name() : call.name;
  }

  /// The ends of what the process leaves open.
  List<RunEvent> close() {
    List<RunEvent> events = new ArrayList<>(text.close());
    events.addAll(tools.close());
    return events;
  }

  /// A call's output so far, whole until it ends, unless too much is held for other calls.
  private ToolCalls.Result held(ToolCalls.Result result) {
    int chars = seen.values().stream().mapToInt(call -> call.output.output().length()).sum();
    return chars + result.output().length() <= HELD_CHARS_MAX ? result : bounded(result);
  }

  private static ToolCalls.Result bounded(ToolCalls.Result result) {
    return new ToolCalls.Result(
        result.failed(),
        result.exitCode(),
        Bounds.truncate(Bounds.wellFormed(result.output()), Bounds.MESSAGE_BYTES_MAX),
        result.bytes());
  }

  private List<RunEvent> content(JsonNode update, boolean message) {
    JsonNode content = update.path("content");
    String type = content.path("type").asText("");
    if (!type.equals("text")) {
      return warnings.unknown("content " + type);
    }
    String piece = content.path("text").asText("");
    if (message) {
      return text.piece(update.path("messageId").asText(""), piece);
    }
    List<RunEvent> events = new ArrayList<>(text.close());
    if (!piece.isEmpty()) {
      events.add(new RunEvent.ReasoningDelta(piece));
    }
    return events;
  }

  /// The whole plan is reported each time it changes.
  private List<RunEvent> plan(JsonNode update) {
    List<RunEvent> events = new ArrayList<>(text.close());
    PlanReader.read(update).ifPresent(events::add);
    return events;
  }
}
