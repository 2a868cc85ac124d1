package dev.runyard.runner.backend.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.CommandTemplate.Output;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.NativeSession;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.OutputWarnings;
import dev.runyard.runner.backend.cli.CliOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Output with a JSON object on each line, read by the description's pointers. Everything else is
/// left out. Not thread-safe.
final class PointedLines implements OutputParser {
  private final Output.JsonLines places;
  private final OutputWarnings warnings;
  private final CliOutcome outcome;
  private final NativeSession session = new NativeSession();
  private Optional<Usage> used = Optional.empty();
  private boolean writing;

  PointedLines(String agent, Output.JsonLines places) {
    this.places = places;
    this.warnings = new OutputWarnings(agent);
    this.outcome = new CliOutcome(agent, "the arguments in the agents file");
  }

  @Override
  public List<RunEvent> line(String line) {
    if (line.isBlank()) {
      return List.of();
    }
    try {
      JsonNode json = JsonFormat.JSON.readTree(line);
      return json.isObject() ? told(json) : warnings.unreadable();
    } catch (IOException _) {
      return warnings.unreadable();
    }
  }

  @Override
  public Ending end(Attempt.Exit exit, String stderr) {
    List<RunEvent> last = new ArrayList<>();
    if (writing) {
      last.add(new RunEvent.ModelCompleted());
    }
    used.ifPresent(usage -> last.add(new RunEvent.CostRecorded(usage, null)));
    if (Integer.valueOf(0).equals(exit.code())
        && outcome.trouble().isEmpty()
        && outcome.anyUnderstood()) {
      outcome.finished();
    }
    return new Ending(last, outcome.failure(exit, stderr));
  }

  private List<RunEvent> told(JsonNode json) {
    List<RunEvent> events = new ArrayList<>();
    at(json, places.session()).ifPresent(id -> events.addAll(session.named(id.asText(""))));
    at(json, places.text())
        .map(text -> text.asText(""))
        .filter(text -> !text.isEmpty())
        .ifPresent(
            text -> {
              writing = true;
              events.add(new RunEvent.ModelDelta(text));
            });
    count(json);
    at(json, places.error())
        .filter(error -> !error.isBoolean() || error.booleanValue())
        .ifPresent(error -> outcome.failed(error.isTextual() ? error.asText() : error.toString()));
    return events;
  }

  private void count(JsonNode json) {
    Optional<JsonNode> input = at(json, places.usage().input());
    Optional<JsonNode> output = at(json, places.usage().output());
    if (input.isPresent() || output.isPresent()) {
      long cached = at(json, places.usage().cached()).map(JsonNode::asLong).orElse(0L);
      used =
          Optional.of(
              new Usage(
                  Math.max(0, input.map(JsonNode::asLong).orElse(0L)),
                  Math.max(0, cached),
                  Math.max(0, output.map(JsonNode::asLong).orElse(0L)),
                  0,
                  null));
    }
  }

  private Optional<JsonNode> at(JsonNode json, String pointer) {
    Optional<JsonNode> found =
        pointer.isEmpty()
            ? Optional.empty()
            : Optional.of(json.at(pointer)).filter(n -> !n.isMissingNode() && !n.isNull());
    found.ifPresent(_ -> outcome.understood());
    return found;
  }
}
