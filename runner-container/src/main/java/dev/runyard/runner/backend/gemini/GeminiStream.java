package dev.runyard.runner.backend.gemini;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.StreamLine;
import dev.runyard.runner.backend.ToolCalls;
import dev.runyard.runner.backend.ToolFacts;
import dev.runyard.runner.backend.cli.CliStream;
import dev.runyard.runner.backend.cli.CliTrouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The standard output of `gemini -o stream-json`, one line at a time, as events of a run. A
/// message ends where a tool call or the result begins.
public final class GeminiStream extends CliStream {
  /// Some releases exit with the status of the model's response, modulo this.
  private static final int EXIT_CODES = 256;

  private static final int SIGNAL_CODES = 128;

  private static final String AGENT = "Gemini CLI";
  private static final ToolFacts FACTS =
      new ToolFacts(Set.of("replace"), Set.of("write_file"), Set.of("write_todos"));

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  /// @param model the requested model, null for the agent's own choice
  public GeminiStream(String callPrefix, @Nullable String model) {
    super(AGENT, "-o stream-json", new ToolCalls(callPrefix, FACTS), model);
  }

  /// The exit code does not show success: a run ended by a signal exits with 0, and without a
  /// result.
  @Override
  public Ending end(Attempt.Exit exit, String stderr) {
    if (outcome.trouble().equals(Optional.of(CliTrouble.OTHER))) {
      CliTrouble.ofStatus(code(exit) + EXIT_CODES).ifPresent(outcome::failed);
    }
    return super.end(exit, stderr);
  }

  /// A code above 128 reads as a signal.
  private static int code(Attempt.Exit exit) {
    Integer signal = exit.signal();
    return signal == null ? Objects.requireNonNullElse(exit.code(), 0) : SIGNAL_CODES + signal;
  }

  @Override
  protected List<RunEvent> typed(StreamLine line) {
    return switch (line.type()) {
      case "init" -> {
        outcome.working();
        yield session.named(line.text("/session_id"));
      }
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
      case "error" -> {
        outcome.failed(line.text("/message"));
        yield List.of(new RunEvent.RuntimeWarning("agent_notice", AGENT + " reported a problem."));
      }
      case "result" -> result(line);
      case String other -> warnings.unknown(other);
    };
  }

  private List<RunEvent> said(StreamLine line) {
    JsonNode content = line.json().path("content");
    if (!content.isTextual()) {
      return warnings.unreadable();
    }
    if (!line.text("/role").equals("assistant")) {
      return List.of(new RunEvent.RunStatus("user message"));
    }
    List<RunEvent> events = text(content.textValue());
    return line.json().path("delta").asBoolean(false) ? events : after(events, message());
  }

  private List<RunEvent> result(StreamLine line) {
    List<RunEvent> events = new ArrayList<>(message());
    events.addAll(used(line.json().path("stats")));
    if (line.text("/status").equals("success")) {
      outcome.finished();
      events.add(new RunEvent.RunStatus("result success"));
    } else {
      outcome.failed(line.text("/error/message"));
    }
    return events;
  }

  /// Thoughts are only in the total.
  private List<RunEvent> used(JsonNode stats) {
    long input = stats.path("input_tokens").asLong();
    long said = stats.path("output_tokens").asLong();
    long output = Math.max(said, stats.path("total_tokens").asLong() - input);
    return input + output == 0
        ? List.of()
        : used(new Usage(input, stats.path("cached").asLong(), output, output - said, null));
  }
}
