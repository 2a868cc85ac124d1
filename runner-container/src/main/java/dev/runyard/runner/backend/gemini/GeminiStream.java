package dev.runyard.runner.backend.gemini;

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

/// The standard output of `gemini -o stream-json`, one line at a time, as events of a run. A
/// message ends where a tool call or the result begins. One stream serves one process; not
/// thread-safe.
public final class GeminiStream implements CliDialect {
  static final Failure FAILED =
      Failure.backend(
          "agent_failed",
          "Gemini CLI could not finish its turn. Run the same prompt by hand to see why.");
  static final Failure NO_RESULT =
      Failure.backend(
          "no_output",
          "Gemini CLI ended without a result. Check that the program is Gemini CLI and takes"
              + " `-o stream-json`.");

  private final OutputWarnings warnings = new OutputWarnings("Gemini CLI");
  private final ToolCalls tools;
  private final @Nullable String model;
  private boolean named;
  private boolean writing;
  private boolean finished;
  private boolean failed;

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  /// @param model the model that was asked for, null for the agent's own choice
  public GeminiStream(String callPrefix, @Nullable String model) {
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

  /// The exit code is no help: a run ended by a signal exits with 0, and without a result.
  @Override
  public Ending end(Attempt.Exit exit, String stderr) {
    Optional<Failure> failure =
        failed ? Optional.of(FAILED) : finished ? Optional.empty() : Optional.of(NO_RESULT);
    List<RunEvent> last = new ArrayList<>(message());
    last.addAll(tools.close());
    return new Ending(last, failure);
  }

  private List<RunEvent> typed(StreamLine line) {
    return switch (line.type()) {
      case "init" -> session(line.text("/session_id").strip());
      case "message" -> said(line);
      case "tool_use" ->
          after(
              message(),
              tools.started(
                  line.text("/tool_id"), line.text("/tool_name"), line.json().path("parameters")));
      case "tool_result" ->
          tools.ended(
              line.text("/tool_id"),
              ToolCalls.Result.of(!line.text("/status").equals("success"), line.text("/output")));
      case "error" ->
          List.of(
              new RunEvent.RuntimeWarning(
                  "agent_notice", "Gemini CLI reported a problem that did not stop its turn."));
      case "result" -> result(line);
      case String other -> warnings.unknown(other);
    };
  }

  private List<RunEvent> session(String id) {
    if (named || id.isEmpty()) {
      return List.of();
    }
    named = true;
    return List.of(new RunEvent.SessionUpdated(id));
  }

  private List<RunEvent> said(StreamLine line) {
    JsonNode content = line.json().path("content");
    if (!content.isTextual()) {
      return warnings.unreadable();
    }
    if (!line.text("/role").equals("assistant")) {
      return List.of(new RunEvent.RunStatus("user message"));
    }
    List<RunEvent> events = new ArrayList<>();
    if (!content.textValue().isEmpty()) {
      writing = true;
      events.add(new RunEvent.ModelDelta(content.textValue()));
    }
    return line.json().path("delta").asBoolean(false) ? events : after(events, message());
  }

  private List<RunEvent> result(StreamLine line) {
    List<RunEvent> events = new ArrayList<>(message());
    finished = true;
    failed = !line.text("/status").equals("success");
    JsonNode stats = line.json().path("stats");
    if (stats.isObject()) {
      events.add(
          new RunEvent.CostRecorded(
              new Usage(
                  stats.path("input_tokens").asLong(),
                  stats.path("cached").asLong(),
                  stats.path("output_tokens").asLong(),
                  0,
                  null),
              model));
    }
    events.add(
        failed
            ? new RunEvent.RuntimeError(FAILED.code(), FAILED.message())
            : new RunEvent.RunStatus("result success"));
    return events;
  }

  private List<RunEvent> message() {
    boolean open = writing;
    writing = false;
    return open ? List.of(new RunEvent.ModelCompleted()) : List.of();
  }

  private static List<RunEvent> after(List<RunEvent> first, List<RunEvent> then) {
    List<RunEvent> events = new ArrayList<>(first);
    events.addAll(then);
    return events;
  }
}
