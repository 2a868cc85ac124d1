package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.runner.backend.OutputWarnings;
import dev.runyard.runner.backend.Remembered;
import dev.runyard.runner.backend.ToldText;
import dev.runyard.runner.backend.ToolCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The messages of a Claude Code process and their parts. Text that came in parts is not reported
/// again with the whole message. Not thread-safe.
final class ClaudeMessages {
  static final int BLOCKS_MAX = 1024;
  private static final String UNNAMED = "unnamed";

  private final ToolCalls tools;
  private final OutputWarnings warnings;
  private final Remembered<String> toolOfBlock = new Remembered<>(BLOCKS_MAX, String::length);
  private final ClaudeTasks plan = new ClaudeTasks();
  private final ToldText streamed = new ToldText();
  private final ToldText pondered = new ToldText();

  ClaudeMessages(ToolCalls tools, OutputWarnings warnings) {
    this.tools = tools;
    this.warnings = warnings;
  }

  List<RunEvent> assistant(JsonNode content) {
    List<RunEvent> events = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    List<RunEvent> calls = new ArrayList<>();
    for (JsonNode block : content) {
      switch (block.path("type").asText("")) {
        case "text" ->
            text.append(text.isEmpty() ? "" : "\n").append(block.path("text").asText(""));
        case "thinking" -> calls.addAll(0, thinking(block));
        case "tool_use", "server_tool_use" ->
            calls.addAll(
                tools.started(id(block, "id"), block.path("name").asText(""), block.path("input")));
        case "tool_result" -> calls.addAll(result(block));
        case String other -> calls.addAll(warnings.unknown("content " + other));
      }
    }
    events.addAll(whole(text.toString()));
    events.addAll(calls);
    return events;
  }

  /// The tool calls of a message of the agent's own helper; its text is for the agent.
  ///
  /// @param spawnedBy the call that began the helper
  List<RunEvent> helper(String spawnedBy, JsonNode content) {
    List<RunEvent> events = new ArrayList<>();
    for (JsonNode block : content) {
      switch (block.path("type").asText("")) {
        case "tool_use", "server_tool_use" ->
            events.addAll(
                tools.started(
                    spawnedBy,
                    id(block, "id"),
                    block.path("name").asText(""),
                    block.path("input")));
        case "tool_result" -> events.addAll(result(block));
        default -> {}
      }
    }
    return events;
  }

  /// @param said the tool's own result, if the message has one result
  List<RunEvent> user(JsonNode content, JsonNode said) {
    JsonNode alone = content.size() == 1 ? said : MissingNode.getInstance();
    List<RunEvent> events = new ArrayList<>();
    for (JsonNode block : content) {
      if (block.path("type").asText("").equals("tool_result")) {
        events.addAll(result(block, alone));
        plan.changed(alone).ifPresent(events::add);
      }
    }
    return events.isEmpty() ? List.of(new RunEvent.RunStatus("user message")) : events;
  }

  /// A part of a message that is still being written.
  List<RunEvent> part(JsonNode event) {
    int index = event.path("index").asInt(0);
    return switch (event.path("type").asText("")) {
      case "content_block_start" -> start(index, event.path("content_block"));
      case "content_block_delta" -> delta(index, event.path("delta"));
      case "message_start", "message_delta", "message_stop", "content_block_stop", "ping" ->
          List.of();
      case String other -> warnings.unknown("stream_event " + other);
    };
  }

  /// The end of a message that came in parts and was never repeated whole.
  List<RunEvent> close() {
    boolean open = !streamed.isEmpty();
    streamed.clear();
    return open ? List.of(new RunEvent.ModelCompleted()) : List.of();
  }

  private List<RunEvent> start(int index, JsonNode block) {
    return switch (block.path("type").asText("")) {
      case "tool_use", "server_tool_use" -> {
        String id = id(block, "id");
        toolOfBlock.put(String.valueOf(index), id);
        yield tools.started(id, block.path("name").asText(""), block.path("input"));
      }
      case "tool_result" -> result(block);
      case "text", "thinking", "redacted_thinking" -> List.of();
      case String other -> warnings.unknown("content " + other);
    };
  }

  private List<RunEvent> delta(int index, JsonNode delta) {
    return switch (delta.path("type").asText("")) {
      case "text_delta" -> {
        String text = delta.path("text").asText("");
        streamed.add(text);
        yield text.isEmpty() ? List.of() : List.of(new RunEvent.ModelDelta(text));
      }
      case "thinking_delta" -> {
        String text = delta.path("thinking").asText("");
        pondered.add(text);
        yield text.isEmpty() ? List.of() : List.of(new RunEvent.ReasoningDelta(text));
      }
      case "input_json_delta" ->
          tools.progressed(
              Objects.requireNonNullElse(toolOfBlock.get(String.valueOf(index)), UNNAMED));
      case "signature_delta", "citations_delta" -> List.of();
      case String other -> warnings.unknown("delta " + other);
    };
  }

  private List<RunEvent> whole(String text) {
    if (text.isEmpty()) {
      return List.of();
    }
    List<RunEvent> events = new ArrayList<>();
    String rest = streamed.rest(text);
    if (!streamed.isEmpty() && !streamed.begins(text)) {
      events.add(new RunEvent.ModelCompleted());
    }
    streamed.clear();
    if (!rest.isEmpty()) {
      events.add(new RunEvent.ModelDelta(rest));
    }
    events.add(new RunEvent.ModelCompleted());
    return events;
  }

  /// The reasoning, except what was already reported.
  private List<RunEvent> thinking(JsonNode block) {
    String text = block.path("thinking").asText("");
    if (pondered.drop(text)) {
      return List.of();
    }
    String rest = pondered.rest(text);
    pondered.clear();
    return List.of(new RunEvent.ReasoningDelta(rest));
  }

  private List<RunEvent> result(JsonNode block) {
    return result(block, MissingNode.getInstance());
  }

  private List<RunEvent> result(JsonNode block, JsonNode said) {
    boolean failed = block.path("is_error").asBoolean(false);
    String shown = output(block.path("content"));
    return tools.ended(id(block, "tool_use_id"), ClaudeTools.result(failed, shown, said));
  }

  private static String output(JsonNode content) {
    if (content.isTextual()) {
      return content.textValue();
    }
    List<String> texts = new ArrayList<>();
    content.forEach(part -> texts.add(part.path("text").asText("")));
    return String.join("\n", texts);
  }

  private static String id(JsonNode block, String member) {
    String id = block.path(member).asText("");
    return id.isBlank() ? UNNAMED : id;
  }
}
