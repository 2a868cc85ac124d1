package dev.runyard.runner.backend.opencode;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.FileEdit;
import dev.runyard.runner.backend.StreamLine;
import dev.runyard.runner.backend.ToolCalls;
import dev.runyard.runner.backend.ToolFacts;
import dev.runyard.runner.backend.cli.CliStream;
import dev.runyard.runner.backend.cli.CliTrouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The standard output of `opencode run --format json`, one line at a time, as events of a run. A
/// text comes whole. There is no final event: the last step must have ended, and not because of a
/// tool.
public final class OpencodeStream extends CliStream {
  private static final ToolFacts FACTS =
      new ToolFacts(Set.of("edit"), Set.of("write"), Set.of("todowrite"));

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  /// @param model the requested model, null for the agent's own choice
  public OpencodeStream(String callPrefix, @Nullable String model) {
    super("opencode", "run --format json", new ToolCalls(callPrefix, FACTS), model);
  }

  @Override
  protected List<RunEvent> typed(StreamLine line) {
    String camel = line.text("/sessionID");
    List<RunEvent> events =
        new ArrayList<>(session.named(camel.isEmpty() ? line.text("/session_id") : camel));
    events.addAll(
        switch (line.type()) {
          case "step_start" -> step("step started");
          case "text" -> said(line);
          case "reasoning" -> thought(line.text("/part/text"));
          case "tool_use" -> tool(line.json().path("part"));
          case "step_finish" -> finished(line.json().path("part"));
          case "error" -> error(line.json().path("error"));
          case String other -> warnings.unknown(other);
        });
    return events;
  }

  private List<RunEvent> step(String what) {
    outcome.working();
    return List.of(new RunEvent.RunStatus(what));
  }

  private List<RunEvent> said(StreamLine line) {
    JsonNode flat = line.json().path("text");
    JsonNode text = flat.isTextual() ? flat : line.json().at("/part/text");
    if (!text.isTextual()) {
      return warnings.unreadable();
    }
    outcome.understood();
    return whole(text.textValue());
  }

  private List<RunEvent> tool(JsonNode part) {
    outcome.understood();
    String id = part.path("callID").asText("unnamed");
    JsonNode state = part.path("state");
    List<RunEvent> events =
        new ArrayList<>(tools.started(id, part.path("tool").asText(""), state.path("input")));
    String status = state.path("status").asText("");
    if (status.equals("completed") || status.equals("error")) {
      events.addAll(
          tools.ended(
              id,
              ToolCalls.Result.of(status.equals("error"), state.path("output").asText(""))
                  .with(edits(state.path("metadata")))));
    }
    return events;
  }

  /// The changes reported by tools that write or patch files.
  private static List<FileEdit> edits(JsonNode metadata) {
    List<FileEdit> edits = new ArrayList<>();
    if (metadata.path("exists").isBoolean() && metadata.path("filepath").isTextual()) {
      FileChange change =
          metadata.path("exists").booleanValue() ? FileChange.MODIFIED : FileChange.CREATED;
      edits.add(new FileEdit(metadata.path("filepath").textValue(), change));
    }
    for (JsonNode file : metadata.path("files")) {
      String path = file.path("filePath").asText("");
      switch (file.path("type").asText("")) {
        case "add" -> edits.add(new FileEdit(path, FileChange.CREATED));
        case "update" -> edits.add(new FileEdit(path, FileChange.MODIFIED));
        case "delete", "move" -> edits.add(new FileEdit(path, FileChange.DELETED));
        default -> {}
      }
      if (file.path("movePath").isTextual()) {
        edits.add(new FileEdit(file.path("movePath").textValue(), FileChange.CREATED));
      }
    }
    edits.removeIf(edit -> edit.path().isBlank());
    return edits;
  }

  private List<RunEvent> finished(JsonNode part) {
    JsonNode tokens = part.path("tokens");
    List<RunEvent> events = new ArrayList<>();
    if (tokens.isObject()) {
      long cached = tokens.at("/cache/read").asLong();
      long written = tokens.at("/cache/write").asLong();
      long reasoning = tokens.path("reasoning").asLong();
      JsonNode cost = part.path("cost");
      events.addAll(
          used(
              new Usage(
                  tokens.path("input").asLong() + written + cached,
                  cached,
                  written,
                  tokens.path("output").asLong() + reasoning,
                  reasoning,
                  cost.isNumber() ? cost.doubleValue() : null,
                  1)));
    }
    events.addAll(step("step finished"));
    if (!part.path("reason").asText("").equals("tool-calls")) {
      outcome.finished();
    }
    return events;
  }

  private List<RunEvent> error(JsonNode error) {
    JsonNode data = error.path("data");
    String said = error.path("name").asText("") + " " + data.path("message").asText("");
    CliTrouble.find(said)
        .or(() -> CliTrouble.ofStatus(data.path("statusCode").asInt()))
        .ifPresentOrElse(outcome::failed, () -> outcome.failed(CliTrouble.OTHER));
    return List.of();
  }
}
