package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.FileChange;
import dev.runyard.runner.backend.FileEdit;
import dev.runyard.runner.backend.PlanReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads an item. Versions of Codex and its two modes name the same things differently; only this
/// class knows how.
///
/// @param type in the spelling of `codex exec --json`
record CodexItemReader(JsonNode json, String id, String type, CodexItem.Text text) {
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
  private static final Set<String> FAILED = Set.of("failed", "declined", "cancelled");
  private static final Pattern UPPER = Pattern.compile("[A-Z]");

  /// The item of an event of `codex exec --json`, which may be the event itself.
  ///
  /// @param last whether this is its final state
  static CodexItem exec(JsonNode event, boolean last) {
    if (event.path("item").isObject()) {
      return read(event.path("item"), "id", "type", event, last);
    }
    return read(event, "item_id", "item_type", event, last);
  }

  /// An item as `codex app-server` shows it.
  ///
  /// @param last whether this is its final state
  static CodexItem whole(JsonNode item, boolean last) {
    return read(item, "id", "type", item, last);
  }

  private static CodexItem read(
      JsonNode item, String id, String type, JsonNode event, boolean last) {
    String piece = event.at("/delta/text_delta").asText("");
    return new CodexItemReader(
            item,
            item.path(id).asText(""),
            snakeCase(item.path(type).asText("")),
            new CodexItem.Text(piece.isEmpty() ? text(item) : piece, !piece.isEmpty()))
        .item(last);
  }

  private CodexItem item(boolean last) {
    boolean done = last || DONE.contains(status());
    if (TOOLS.contains(type)) {
      return tool(done);
    }
    return switch (type) {
      case "agent_message" -> new CodexItem.Message(id, text, done);
      case "reasoning" -> new CodexItem.Thought(id, text);
      case "todo_list" -> plan(json);
      case "error" -> new CodexItem.Notice(json.path("message").asText(""));
      case String other ->
          UNTOLD.contains(other) ? new CodexItem.Untold() : new CodexItem.Unknown(other);
    };
  }

  /// The plan in an object.
  static CodexItem plan(JsonNode holder) {
    return PlanReader.read(holder)
        .<CodexItem>map(CodexItem.Plan::new)
        .orElse(new CodexItem.Untold());
  }

  private CodexItem tool(boolean done) {
    CodexItem.Result result = new CodexItem.Result(failed(), exitCode(), output(), edits());
    String name =
        switch (type) {
          case "command_execution" -> "shell";
          case "file_change" -> "apply_patch";
          case "mcp_tool_call" -> mcpName();
          case "web_search" -> "web_search";
          case String other -> json.path("tool").asText(other);
        };
    String input =
        switch (type) {
          case "command_execution" -> first("/command", "/input/command");
          case "file_change" -> changes();
          case "mcp_tool_call" -> mcpInput();
          case "web_search" -> first("/query");
          case String _ -> first("/prompt");
        };
    return new CodexItem.ToolCall(
        id, type, name, input.isEmpty() ? text.text() : input, done, result);
  }

  private String status() {
    return json.path("status").asText("");
  }

  private boolean failed() {
    return FAILED.contains(status()) || exitCode().orElse(0) != 0 || json.path("error").isObject();
  }

  private Optional<Integer> exitCode() {
    JsonNode code = json.path(json.has("exit_code") ? "exit_code" : "exitCode");
    return code.isInt() ? Optional.of(code.asInt()) : Optional.empty();
  }

  private String output() {
    String output = first("/aggregated_output", "/aggregatedOutput", "/output", "/error/message");
    JsonNode result = json.path("result");
    return output.isEmpty() && result.isObject() ? result.toString() : output;
  }

  private String changes() {
    List<String> lines = new ArrayList<>();
    for (JsonNode change : json.path("changes")) {
      lines.add(change(change) + " " + change.path("path").asText());
    }
    return String.join("\n", lines);
  }

  private List<FileEdit> edits() {
    List<FileEdit> edits = new ArrayList<>();
    for (JsonNode change : json.path("changes")) {
      String path = change.path("path").asText("");
      String moved = change.at("/kind/move_path").asText("");
      if (!moved.isEmpty()) {
        edits.add(new FileEdit(path, FileChange.DELETED));
        edits.add(new FileEdit(moved, FileChange.CREATED));
      } else if (!path.isEmpty()) {
        edits.add(
            new FileEdit(
                path,
                switch (change(change)) {
                  case "add" -> FileChange.CREATED;
                  case "update" -> FileChange.MODIFIED;
                  case "delete" -> FileChange.DELETED;
                  default -> null;
                }));
      }
    }
    return edits;
  }

  /// The change of a file: added, updated, deleted.
  static String change(JsonNode change) {
    JsonNode kind = change.path("kind");
    return kind.isObject() ? kind.path("type").asText() : kind.asText();
  }

  private String mcpName() {
    String server = json.path("server").asText("");
    String tool = first("/tool", "/input/name");
    return server.isEmpty() ? (tool.isEmpty() ? type : tool) : server + "." + tool;
  }

  private String mcpInput() {
    JsonNode arguments = json.path("arguments");
    JsonNode given = arguments.isMissingNode() ? json.at("/input/arguments") : arguments;
    return given.isMissingNode() ? "" : given.toString();
  }

  private String first(String... pointers) {
    for (String pointer : pointers) {
      JsonNode value = json.at(pointer);
      if (value.isTextual() && !value.asText().isEmpty()) {
        return value.asText();
      }
    }
    return "";
  }

  private static String text(JsonNode item) {
    JsonNode content = item.path("content");
    String summary = paragraphs(item.path("summary"));
    String thought = summary.isEmpty() ? paragraphs(content) : summary;
    return thought.isEmpty()
        ? item.path("text").asText(content.path("text").asText(content.asText("")))
        : thought;
  }

  private static String paragraphs(JsonNode texts) {
    List<String> all = new ArrayList<>();
    if (texts.isArray()) {
      texts.forEach(text -> all.add(text.asText("")));
    }
    return String.join(CodexItem.PARAGRAPH, all);
  }

  private static String snakeCase(String name) {
    return UPPER.matcher(name).replaceAll(letter -> "_" + letter.group().toLowerCase(Locale.ROOT));
  }
}
