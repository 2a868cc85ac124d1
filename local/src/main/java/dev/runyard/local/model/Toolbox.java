package dev.runyard.local.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.model.ModelReply.Part.ToolCall;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Chooses among the offered tools the one for a directive, and writes its call. Names and
/// arguments come from the offered schemas, so one prompt works for agents that use different names
/// for the same thing.
record Toolbox(List<OfferedTool> tools) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern SHELL_NAME =
      Pattern.compile("(?i).*(shell|bash|exec|command|terminal).*");
  private static final Pattern FILE_NAME = Pattern.compile("(?i)(write|create)(_?file)?(_?new)?");
  private static final List<String> COMMAND_KEYS = List.of("cmd", "command", "script");
  private static final List<String> PATH_KEYS =
      List.of("file_path", "filePath", "path", "filename", "file");
  private static final List<String> TEXT_KEYS = List.of("content", "contents", "text", "file_text");
  private static final String PATCH_TOOL = "apply_patch";
  private static final String WAIT_KEY = "yield_time_ms";
  private static final int WAIT_MILLIS = 30_000;
  private static final int POLL_MILLIS = 300_000;
  private static final String SESSION_KEY = "session_id";
  private static final Pattern STDIN_NAME = Pattern.compile("(?i).*stdin.*");
  private static final Pattern RUNNING =
      Pattern.compile("Process running with session ID (\\d{1,18})");

  Toolbox {
    tools = List.copyOf(tools);
  }

  Optional<ToolCall> shell(String command) {
    return first(OfferedTool.Form.LOCAL_SHELL)
        .map(tool -> new ToolCall(tool, localShell(command)))
        .or(() -> shellFunction(command));
  }

  Optional<ToolCall> write(String file, String text) {
    return patch(file, text)
        .or(() -> writeFunction(file, text))
        .or(() -> shell(writeCommand(file, text)));
  }

  /// A call that waits for a command that, according to a result, still runs; empty when none does,
  /// or when no offered tool can wait.
  Optional<ToolCall> waitFor(String result) {
    Matcher running = RUNNING.matcher(result);
    return running.find() ? poll(running.group(1)) : Optional.empty();
  }

  private Optional<ToolCall> poll(String session) {
    return functions()
        .filter(tool -> tool.schema().path("properties").has(SESSION_KEY))
        .filter(tool -> STDIN_NAME.matcher(tool.name()).matches())
        .findFirst()
        .map(
            tool -> {
              ObjectNode arguments = JSON.createObjectNode();
              arguments.put(SESSION_KEY, Long.parseLong(session)).put(WAIT_KEY, POLL_MILLIS);
              return new ToolCall(tool, completed(tool, arguments));
            });
  }

  Optional<ToolCall> named(String name, String arguments) {
    return tools.stream()
        .filter(tool -> tool.qualifiedName().equals(name) || tool.name().equals(name))
        .findFirst()
        .map(tool -> new ToolCall(tool, arguments));
  }

  String names() {
    return tools.stream().map(OfferedTool::qualifiedName).collect(Collectors.joining(", "));
  }

  private Optional<OfferedTool> first(OfferedTool.Form form) {
    return tools.stream().filter(tool -> tool.form() == form).findFirst();
  }

  private Stream<OfferedTool> functions() {
    return tools.stream().filter(tool -> tool.form() == OfferedTool.Form.FUNCTION);
  }

  private Optional<ToolCall> shellFunction(String command) {
    return functions()
        .filter(tool -> SHELL_NAME.matcher(tool.name()).matches())
        .flatMap(tool -> key(tool, COMMAND_KEYS).map(key -> shellCall(tool, key, command)).stream())
        .findFirst();
  }

  private static ToolCall shellCall(OfferedTool tool, String key, String command) {
    ObjectNode arguments = JSON.createObjectNode();
    JsonNode properties = tool.schema().path("properties");
    if (properties.path(key).path("type").asText().equals("array")) {
      arguments.putArray(key).add("bash").add("-lc").add(command);
    } else {
      arguments.put(key, command);
    }
    if (properties.has(WAIT_KEY)) {
      arguments.put(WAIT_KEY, WAIT_MILLIS);
    }
    return new ToolCall(tool, completed(tool, arguments));
  }

  private Optional<ToolCall> writeFunction(String file, String text) {
    return functions()
        .filter(tool -> FILE_NAME.matcher(tool.name()).matches())
        .flatMap(tool -> writeCall(tool, file, text).stream())
        .findFirst();
  }

  private static Optional<ToolCall> writeCall(OfferedTool tool, String file, String text) {
    return key(tool, PATH_KEYS)
        .flatMap(
            path ->
                key(tool, TEXT_KEYS)
                    .map(
                        content -> {
                          ObjectNode arguments = JSON.createObjectNode();
                          arguments.put(path, file).put(content, text);
                          return new ToolCall(tool, completed(tool, arguments));
                        }));
  }

  private Optional<ToolCall> patch(String file, String text) {
    return tools.stream()
        .filter(tool -> tool.name().equals(PATCH_TOOL))
        .flatMap(
            tool ->
                switch (tool.form()) {
                  case FREE_FORM -> Stream.of(new ToolCall(tool, addFile(file, text)));
                  case FUNCTION ->
                      key(tool, List.of("input", "patch")).stream()
                          .map(
                              key ->
                                  new ToolCall(
                                      tool,
                                      completed(
                                          tool,
                                          JSON.createObjectNode().put(key, addFile(file, text)))));
                  case LOCAL_SHELL -> Stream.<ToolCall>empty();
                })
        .findFirst();
  }

  private static String addFile(String file, String text) {
    String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    String added = body.lines().map(line -> "+" + line + "\n").collect(Collectors.joining());
    return "*** Begin Patch\n*** Add File: "
        + file
        + "\n"
        + (added.isEmpty() ? "+\n" : added)
        + "*** End Patch\n";
  }

  private static String writeCommand(String file, String text) {
    return "f=%s; mkdir -p \"$(dirname \"$f\")\" && printf %%s %s > \"$f\""
        .formatted(quoted(file), quoted(text));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static String localShell(String command) {
    ObjectNode action = JSON.createObjectNode().put("type", "exec");
    action.putArray("command").add("bash").add("-lc").add(command);
    action.putObject("env");
    return written(action);
  }

  private static Optional<String> key(OfferedTool tool, List<String> names) {
    JsonNode properties = tool.schema().path("properties");
    return names.stream().filter(properties::has).findFirst();
  }

  private static String completed(OfferedTool tool, ObjectNode arguments) {
    for (JsonNode name : tool.schema().path("required")) {
      if (!arguments.has(name.asText())) {
        arguments.set(
            name.asText(), SampleJson.of(tool.schema().path("properties").path(name.asText())));
      }
    }
    return written(arguments);
  }

  private static String written(JsonNode node) {
    try {
      return JSON.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree could not be written", e);
    }
  }
}
