package dev.runyard.runner.backend.qwen;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.NativeSession;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.OutputWarnings;
import dev.runyard.runner.backend.StreamLine;
import dev.runyard.runner.backend.ToolCalls;
import dev.runyard.runner.backend.ToolFacts;
import dev.runyard.runner.backend.cli.CliOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The standard output of `qwen -o stream-json`, one line at a time, as events of a run. A failed
/// call of the model ends as success, with the error as the last piece of the text. One stream
/// serves one process; not thread-safe.
public final class QwenStream implements OutputParser {
  private static final String AGENT = "Qwen Code";
  private static final String ERROR = "[API Error: ";
  private static final ToolFacts FACTS =
      new ToolFacts(Set.of("edit"), Set.of("write_file"), Set.of("todo_write"));

  private final OutputWarnings warnings = new OutputWarnings(AGENT);
  private final NativeSession session = new NativeSession();
  private final CliOutcome outcome = new CliOutcome(AGENT, "--output-format stream-json");
  private final ToolCalls tools;
  private final @Nullable String model;
  private Usage told = Usage.NONE;
  private boolean streamed;
  private boolean thought;
  private boolean writing;

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  /// @param model the model that was asked for, null for the agent's own choice
  public QwenStream(String callPrefix, @Nullable String model) {
    this.tools = new ToolCalls(callPrefix, FACTS);
    this.model = model;
  }

  @Override
  public List<RunEvent> line(String line) {
    return StreamLine.events(line, this::typed, warnings);
  }

  @Override
  public Ending end(Attempt.Exit exit, String stderr) {
    List<RunEvent> last = new ArrayList<>(message());
    last.addAll(tools.close());
    return new Ending(last, outcome.failure(exit, stderr));
  }

  private List<RunEvent> typed(StreamLine line) {
    List<RunEvent> events = new ArrayList<>();
    switch (line.type()) {
      case "system" -> {
        if (line.text("/subtype").equals("init")) {
          events.addAll(session.named(line.text("/session_id")));
        }
        events.add(new RunEvent.RunStatus("system event"));
      }
      case "stream_event" -> events.addAll(part(line.json().path("event")));
      case "assistant" -> {
        line.json().at("/message/content").forEach(b -> events.addAll(whole(b)));
        events.addAll(answered(line.json().at("/message/usage")));
      }
      case "user" -> line.json().at("/message/content").forEach(b -> events.addAll(result(b)));
      case "result" -> events.addAll(ended(line));
      case String other -> events.addAll(warnings.unknown(other));
    }
    return events;
  }

  private List<RunEvent> part(JsonNode event) {
    JsonNode delta = event.path("delta");
    return switch (event.path("type").asText("") + "/" + delta.path("type").asText("")) {
      case "message_start/" -> {
        outcome.working();
        streamed = false;
        thought = false;
        yield List.of();
      }
      case "content_block_delta/text_delta" -> text(delta.path("text").asText(""));
      case "content_block_delta/thinking_delta" -> thinking(delta.path("thinking").asText(""));
      case String _ -> List.of();
    };
  }

  private List<RunEvent> text(String text) {
    streamed = true;
    if (text.isEmpty() || failure(text)) {
      return List.of();
    }
    writing = true;
    return List.of(new RunEvent.ModelDelta(text));
  }

  private List<RunEvent> thinking(String text) {
    thought = true;
    return text.isEmpty() ? List.of() : List.of(new RunEvent.ReasoningDelta(text));
  }

  private boolean failure(String text) {
    int at = text.lastIndexOf(ERROR);
    boolean failed = at >= 0 && text.stripTrailing().endsWith("]");
    if (failed) {
      outcome.failed(text.substring(at + ERROR.length()));
    }
    return failed;
  }

  /// What was not streamed before.
  private List<RunEvent> whole(JsonNode block) {
    return switch (block.path("type").asText("")) {
      case "text" -> {
        List<RunEvent> events = new ArrayList<>();
        if (!streamed) {
          events.addAll(text(block.path("text").asText("")));
        }
        events.addAll(message());
        yield events;
      }
      case "thinking" -> thought ? List.of() : thinking(block.path("thinking").asText(""));
      case "tool_use" -> {
        List<RunEvent> events = new ArrayList<>(message());
        events.addAll(
            tools.started(
                block.path("id").asText("unnamed"),
                block.path("name").asText(""),
                block.path("input")));
        yield events;
      }
      case String other -> warnings.unknown("content " + other);
    };
  }

  private List<RunEvent> result(JsonNode block) {
    return block.path("type").asText("").equals("tool_result")
        ? tools.ended(
            block.path("tool_use_id").asText("unnamed"),
            ToolCalls.Result.of(
                block.path("is_error").asBoolean(), block.path("content").asText("")))
        : List.of();
  }

  /// The tokens of an answer come with the last of its blocks, the others have none.
  private List<RunEvent> answered(JsonNode usage) {
    Usage used = counted(usage);
    told = told.plus(used);
    return used.tokens() == 0
        ? List.of()
        : List.of(new RunEvent.CostRecorded(used.asTurn(), model));
  }

  private static Usage counted(JsonNode usage) {
    return new Usage(
        usage.path("input_tokens").asLong(),
        usage.path("cache_read_input_tokens").asLong(),
        usage.path("output_tokens").asLong(),
        0,
        null);
  }

  private List<RunEvent> ended(StreamLine line) {
    List<RunEvent> events = new ArrayList<>(message());
    Usage more = counted(line.json().path("usage")).beyond(told);
    told = told.plus(more);
    if (more.tokens() > 0) {
      events.add(new RunEvent.CostRecorded(more, model));
    }
    if (line.json().path("is_error").asBoolean()) {
      outcome.failed(line.text("/error/message"));
    } else if (outcome.trouble().isEmpty() && !failure(line.text("/result"))) {
      outcome.finished();
    }
    return events;
  }

  private List<RunEvent> message() {
    boolean open = writing;
    writing = false;
    return open ? List.of(new RunEvent.ModelCompleted()) : List.of();
  }
}
