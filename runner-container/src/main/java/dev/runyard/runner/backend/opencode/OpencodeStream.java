package dev.runyard.runner.backend.opencode;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.Usage;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.CliDialect;
import dev.runyard.runner.backend.OutputWarnings;
import dev.runyard.runner.backend.StreamLine;
import dev.runyard.runner.backend.ToolCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The standard output of `opencode run --format json`, one line at a time, as events of a run. A
/// text comes whole; there is no last event, the end is the exit. One stream serves one process;
/// not thread-safe.
public final class OpencodeStream implements CliDialect {
  static final Failure FAILED =
      Failure.backend(
          "agent_failed",
          "opencode could not finish its turn. Run the same prompt by hand to see why.");
  static final Failure NO_OUTPUT =
      Failure.backend(
          "no_output",
          "opencode ended without printing an event that is known here. Check that the program is"
              + " opencode and takes `run --format json`.");

  private final OutputWarnings warnings = new OutputWarnings("opencode");
  private final ToolCalls tools;
  private final @Nullable String model;
  private boolean named;
  private boolean understood;
  private boolean failed;

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  /// @param model the model that was asked for, null for the agent's own choice
  public OpencodeStream(String callPrefix, @Nullable String model) {
    this.tools = new ToolCalls(callPrefix);
    this.model = model;
  }

  @Override
  public List<RunEvent> line(String line) {
    if (line.isBlank()) {
      return List.of();
    }
    return StreamLine.read(line).map(this::typed).orElseGet(warnings::unreadable);
  }

  @Override
  public Ending end(Attempt.Exit exit, String stderr) {
    Optional<Failure> failure =
        failed || !Integer.valueOf(0).equals(exit.code())
            ? Optional.of(FAILED)
            : understood ? Optional.empty() : Optional.of(NO_OUTPUT);
    return new Ending(tools.close(), failure);
  }

  private List<RunEvent> typed(StreamLine line) {
    String camel = line.text("/sessionID");
    List<RunEvent> events =
        new ArrayList<>(session((camel.isEmpty() ? line.text("/session_id") : camel).strip()));
    events.addAll(
        switch (line.type()) {
          case "step_start" -> step("step started");
          case "text" -> text(line);
          case "reasoning" -> reasoning(line.text("/part/text"));
          case "tool_use" -> tool(line.json().path("part"));
          case "step_finish" -> finished(line.json().path("part"));
          case "error" -> error();
          case String other -> warnings.unknown(other);
        });
    return events;
  }

  private List<RunEvent> session(String id) {
    if (named || id.isEmpty()) {
      return List.of();
    }
    named = true;
    return List.of(new RunEvent.SessionUpdated(id));
  }

  private List<RunEvent> step(String what) {
    understood = true;
    return List.of(new RunEvent.RunStatus(what));
  }

  private List<RunEvent> text(StreamLine line) {
    JsonNode flat = line.json().path("text");
    JsonNode text = flat.isTextual() ? flat : line.json().at("/part/text");
    if (!text.isTextual()) {
      return warnings.unreadable();
    }
    understood = true;
    return text.textValue().isEmpty()
        ? List.of()
        : List.of(new RunEvent.ModelDelta(text.textValue()), new RunEvent.ModelCompleted());
  }

  private static List<RunEvent> reasoning(String text) {
    return text.isEmpty() ? List.of() : List.of(new RunEvent.ReasoningDelta(text));
  }

  private List<RunEvent> tool(JsonNode part) {
    understood = true;
    String id = part.path("callID").asText("unnamed");
    JsonNode state = part.path("state");
    List<RunEvent> events =
        new ArrayList<>(tools.started(id, part.path("tool").asText(""), state.path("input")));
    String status = state.path("status").asText("");
    if (status.equals("completed") || status.equals("error")) {
      events.addAll(
          tools.ended(
              id, ToolCalls.Result.of(status.equals("error"), state.path("output").asText(""))));
    }
    return events;
  }

  private List<RunEvent> finished(JsonNode part) {
    JsonNode tokens = part.path("tokens");
    List<RunEvent> events = new ArrayList<>();
    if (tokens.isObject()) {
      long cached = tokens.at("/cache/read").asLong();
      long reasoning = tokens.path("reasoning").asLong();
      JsonNode cost = part.path("cost");
      events.add(
          new RunEvent.CostRecorded(
              new Usage(
                  tokens.path("input").asLong() + tokens.at("/cache/write").asLong() + cached,
                  cached,
                  tokens.path("output").asLong() + reasoning,
                  reasoning,
                  cost.isNumber() ? cost.doubleValue() : null),
              model));
    }
    events.addAll(step("step finished"));
    return events;
  }

  private List<RunEvent> error() {
    failed = true;
    return List.of(new RunEvent.RuntimeError(FAILED.code(), FAILED.message()));
  }
}
