package dev.runyard.runner.backend.claude;

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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The standard output of `claude -p --output-format stream-json`, one line at a time, as events of
/// a run. One stream serves one process; not thread-safe.
public final class ClaudeStream implements CliDialect {
  static final Failure FAILED =
      Failure.backend(
          "agent_failed",
          "Claude Code could not finish its turn. Run the same prompt by hand to see why.");
  static final Failure NO_RESULT =
      Failure.backend(
          "no_output",
          "Claude Code ended without a result. Check that the program is Claude Code and takes"
              + " `--output-format stream-json`.");
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  private final OutputWarnings warnings = new OutputWarnings("Claude Code");
  private final ToolCalls tools;
  private final ClaudeMessages messages;
  private final @Nullable String model;
  private boolean named;
  private boolean finished;
  private boolean failed;

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  /// @param model the model that was asked for, null for the agent's own choice
  public ClaudeStream(String callPrefix, @Nullable String model) {
    this.tools = new ToolCalls(callPrefix);
    this.messages = new ClaudeMessages(tools, warnings);
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
            : finished ? Optional.empty() : Optional.of(NO_RESULT);
    return new Ending(tools.close(), failure);
  }

  private List<RunEvent> typed(StreamLine line) {
    List<RunEvent> events = new ArrayList<>(session(line.text("/session_id").strip()));
    events.addAll(
        switch (line.type()) {
          case "system" -> system(line.text("/subtype"));
          case "assistant" -> messages.assistant(line.json().at("/message/content"));
          case "user" -> messages.user(line.json().at("/message/content"));
          case "stream_event" -> messages.part(line.json().path("event"));
          case "result" -> result(line);
          default -> warnings.unknown(line.type());
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

  private static List<RunEvent> system(String subtype) {
    return List.of(
        new RunEvent.RunStatus(
            NAME.matcher(subtype).matches() ? "system " + subtype : "system event"));
  }

  /// The outcome counts, whatever the subtype says: a failed call of the model ends as success with
  /// an error.
  private List<RunEvent> result(StreamLine line) {
    List<RunEvent> events = new ArrayList<>(messages.close());
    finished = true;
    failed = line.json().path("is_error").asBoolean() || !line.text("/subtype").equals("success");
    JsonNode usage = line.json().path("usage");
    if (usage.isObject()) {
      events.add(new RunEvent.CostRecorded(used(usage, line.json()), model));
    }
    events.add(
        failed
            ? new RunEvent.RuntimeError(FAILED.code(), FAILED.message())
            : new RunEvent.RunStatus("result success"));
    return events;
  }

  private static Usage used(JsonNode usage, JsonNode result) {
    long cached = usage.path("cache_read_input_tokens").asLong();
    JsonNode cost = result.path("total_cost_usd");
    return new Usage(
        usage.path("input_tokens").asLong()
            + usage.path("cache_creation_input_tokens").asLong()
            + cached,
        cached,
        usage.path("output_tokens").asLong(),
        0,
        cost.isNumber() ? cost.doubleValue() : null);
  }
}
