package dev.runyard.runner.backend.qwen;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.StreamLine;
import dev.runyard.runner.backend.ToolCalls;
import dev.runyard.runner.backend.ToolFacts;
import dev.runyard.runner.backend.cli.CliStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The standard output of `qwen -o stream-json`, one line at a time, as events of a run. A failed
/// call of the model ends as success, with the error as the last piece of the text.
public final class QwenStream extends CliStream {
  private static final String AGENT = "Qwen Code";
  private static final String ERROR = "[API Error: ";
  private static final ToolFacts FACTS =
      new ToolFacts(Set.of("edit"), Set.of("write_file"), Set.of("todo_write"));

  private Usage told = Usage.NONE;
  private boolean streamed;
  private boolean thought;

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  /// @param model the requested model, null for the agent's own choice
  public QwenStream(String callPrefix, @Nullable String model) {
    super(AGENT, "--output-format stream-json", new ToolCalls(callPrefix, FACTS), model);
  }

  @Override
  protected List<RunEvent> typed(StreamLine line) {
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
        line.json().at("/message/content").forEach(b -> events.addAll(rest(b)));
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
      case "content_block_delta/text_delta" -> said(delta.path("text").asText(""));
      case "content_block_delta/thinking_delta" -> thinking(delta.path("thinking").asText(""));
      case String _ -> List.of();
    };
  }

  private List<RunEvent> said(String text) {
    streamed = true;
    return failure(text) ? List.of() : text(text);
  }

  private List<RunEvent> thinking(String text) {
    thought = true;
    return thought(text);
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
  private List<RunEvent> rest(JsonNode block) {
    return switch (block.path("type").asText("")) {
      case "text" -> after(streamed ? List.of() : said(block.path("text").asText("")), message());
      case "thinking" -> thought ? List.of() : thinking(block.path("thinking").asText(""));
      case "tool_use" ->
          after(
              message(),
              tools.started(
                  block.path("id").asText("unnamed"),
                  block.path("name").asText(""),
                  block.path("input")));
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

  /// The tokens of an answer come with its last block; the others have none.
  private List<RunEvent> answered(JsonNode usage) {
    Usage used = counted(usage);
    told = told.plus(used);
    return used.tokens() == 0 ? List.of() : used(used.asTurn());
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
      events.addAll(used(more));
    }
    if (line.json().path("is_error").asBoolean()) {
      outcome.failed(line.text("/error/message"));
    } else if (outcome.trouble().isEmpty() && !failure(line.text("/result"))) {
      outcome.finished();
    }
    return events;
  }
}
