package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.NativeSession;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.OutputWarnings;
import dev.runyard.runner.backend.StreamLine;
import dev.runyard.runner.backend.ToolCalls;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The standard output of `claude -p --output-format stream-json`, one line at a time, as events of
/// a run. One stream serves one process; not thread-safe.
public final class ClaudeStream implements OutputParser {
  static final int REFUSED_TOOLS_MAX = 16;

  /// The model name in Claude Code's own messages, such as errors of the provider.
  private static final String NOT_A_MODEL = "<synthetic>";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");
  private static final Pattern TOOL = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,63}");

  private final OutputWarnings warnings = new OutputWarnings(ClaudeTrouble.AGENT);
  private final NativeSession session = new NativeSession();
  private final Set<String> refused = new HashSet<>();
  private final ToolCalls tools;
  private final ClaudeMessages messages;
  private final ClaudeUsage usage = new ClaudeUsage();
  private @Nullable String model;
  private boolean finished;
  private @Nullable ClaudeTrouble trouble;

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  /// @param model the requested model, null for the agent's own choice
  public ClaudeStream(String callPrefix, @Nullable String model) {
    this.tools = new ToolCalls(callPrefix, ClaudeTools.FACTS);
    this.messages = new ClaudeMessages(tools, warnings);
    this.model = model;
  }

  @Override
  public List<RunEvent> line(String line) {
    return StreamLine.events(line, this::typed, warnings);
  }

  @Override
  public Ending end(Attempt.Exit exit, String stderr) {
    List<RunEvent> last = new ArrayList<>(messages.close());
    last.addAll(tools.close());
    ClaudeFacts facts = new ClaudeFacts(finished, Optional.ofNullable(trouble));
    return new Ending(last, ClaudeOutcome.of(facts, exit, stderr));
  }

  List<RunEvent> typed(StreamLine line) {
    String spawnedBy = line.json().path("parent_tool_use_id").textValue();
    JsonNode content = line.json().at("/message/content");
    List<RunEvent> events = new ArrayList<>(session.named(line.text("/session_id")));
    events.addAll(
        switch (line.type()) {
          case "system" -> system(line);
          case "assistant" ->
              spawnedBy != null
                  ? helper(spawnedBy, line.json().path("message"))
                  : line.text("/message/model").equals(NOT_A_MODEL)
                      ? List.of()
                      : messages.assistant(content);
          case "user" ->
              spawnedBy != null
                  ? messages.helper(spawnedBy, content)
                  : messages.user(content, line.json().path("tool_use_result"));
          case "stream_event" -> spawnedBy != null ? List.of() : part(line.json().path("event"));
          case "result" -> result(line);
          case "rate_limit_event" -> List.of();
          default -> warnings.unknown(line.type());
        });
    return events;
  }

  private List<RunEvent> helper(String spawnedBy, JsonNode message) {
    List<RunEvent> events = new ArrayList<>(usage.helper(tools.subagent(spawnedBy), message));
    events.addAll(messages.helper(spawnedBy, message.path("content")));
    return events;
  }

  private List<RunEvent> part(JsonNode event) {
    List<RunEvent> events = new ArrayList<>(messages.part(event));
    events.addAll(usage.part(event));
    return events;
  }

  private List<RunEvent> system(StreamLine line) {
    String subtype = line.text("/subtype");
    return switch (subtype) {
      case "init" -> {
        finished = false;
        if (model == null && !line.text("/model").isBlank()) {
          model = line.text("/model");
        }
        yield List.of(new RunEvent.RunStatus("system init"));
      }
      case "status" -> List.of();
      case "api_retry" ->
          List.of(
              new RunEvent.RuntimeWarning(
                  "model_retry",
                  "Claude Code asks its model again. "
                      + ClaudeTrouble.of(
                              line.json().path("error_status").asInt(0), line.text("/error"))
                          .failure()
                          .message()));
      default ->
          List.of(
              new RunEvent.RunStatus(
                  NAME.matcher(subtype).matches() ? "system " + subtype : "system event"));
    };
  }

  /// `is_error` counts, whatever the subtype says: a failed call of the model ends as success with
  /// an error.
  private List<RunEvent> result(StreamLine line) {
    List<RunEvent> events = new ArrayList<>(messages.close());
    boolean failed =
        line.json().path("is_error").asBoolean() || !line.text("/subtype").equals("success");
    finished = true;
    trouble = failed ? trouble(line) : null;
    events.addAll(usage.result(line.json(), model));
    line.json()
        .path("permission_denials")
        .forEach(denied -> events.addAll(refused(denied.path("tool_name").asText(""))));
    events.add(new RunEvent.RunStatus(failed ? "result error" : "result success"));
    return events;
  }

  private static ClaudeTrouble trouble(StreamLine line) {
    StringBuilder said = new StringBuilder();
    for (String member : List.of("/subtype", "/result", "/terminal_reason", "/stop_reason")) {
      said.append(line.text(member)).append('\n');
    }
    line.json().path("errors").forEach(error -> said.append(error.asText("")).append('\n'));
    return ClaudeTrouble.of(line.json().path("api_error_status").asInt(0), said.toString());
  }

  private List<RunEvent> refused(String tool) {
    String name = TOOL.matcher(tool).matches() ? tool : "a tool";
    if (refused.size() == REFUSED_TOOLS_MAX || !refused.add(name)) {
      return List.of();
    }
    return List.of(
        new RunEvent.RuntimeWarning(
            "permission_refused",
            "Claude Code was not permitted to use %s as it wanted to.".formatted(name)));
  }
}
