package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.FileChange;
import dev.runyard.runner.backend.FileEdit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// One item of a turn as a line shows it: a message, a thought, a tool call.
///
/// Versions of Codex name the same things differently; this is the one place that knows.
///
/// @param id empty when the line has none
/// @param text the whole text so far, or the next piece of it when `piece`
record CodexItem(String id, String type, String status, String text, boolean piece, JsonNode json) {

  /// What stands between the parts of a thought.
  static final String PARAGRAPH = "\n\n";

  private static final Pattern UPPER = Pattern.compile("[A-Z]");

  static CodexItem of(JsonNode event) {
    boolean flat = !event.path("item").isObject();
    JsonNode item = flat ? event : event.path("item");
    String piece = event.at("/delta/text_delta").asText("");
    return new CodexItem(
        item.path(flat ? "item_id" : "id").asText(""),
        snakeCase(item.path(flat ? "item_type" : "type").asText("")),
        item.path("status").asText(""),
        piece.isEmpty() ? text(item) : piece,
        !piece.isEmpty(),
        item);
  }

  /// The tool the item stands for, as shown to people.
  Tool tool() {
    return switch (type) {
      case "command_execution" -> tool("shell", first("/command", "/input/command"));
      case "file_change" -> tool("apply_patch", changes());
      case "mcp_tool_call" -> tool(mcpName(), mcpInput());
      case "web_search" -> tool("web_search", first("/query"));
      case String other -> tool(json.path("tool").asText(other), first("/prompt"));
    };
  }

  boolean failed() {
    return status.equals("failed")
        || status.equals("declined")
        || status.equals("cancelled")
        || exitCode().orElse(0) != 0
        || json.path("error").isObject();
  }

  Optional<Integer> exitCode() {
    JsonNode code = json.path(json.has("exit_code") ? "exit_code" : "exitCode");
    return code.isInt() ? Optional.of(code.asInt()) : Optional.empty();
  }

  /// What the tool gave back, as far as the line has it.
  String output() {
    String output = first("/aggregated_output", "/aggregatedOutput", "/output", "/error/message");
    JsonNode result = json.path("result");
    return output.isEmpty() && result.isObject() ? result.toString() : output;
  }

  /// The name of a tool and what it was given.
  record Tool(String name, String input) {}

  private Tool tool(String name, String input) {
    return new Tool(name, input.isEmpty() ? text : input);
  }

  private String changes() {
    List<String> lines = new ArrayList<>();
    for (JsonNode change : json.path("changes")) {
      lines.add(change(change) + " " + change.path("path").asText());
    }
    return String.join("\n", lines);
  }

  /// The files the item changed; a file that was moved is two changes.
  List<FileEdit> edits() {
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

  /// What is done to a file: added, updated, deleted.
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
    return String.join(PARAGRAPH, all);
  }

  private static String snakeCase(String name) {
    return UPPER.matcher(name).replaceAll(letter -> "_" + letter.group().toLowerCase(Locale.ROOT));
  }
}
