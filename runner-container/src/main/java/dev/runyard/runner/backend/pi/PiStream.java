package dev.runyard.runner.backend.pi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.StreamLine;
import dev.runyard.runner.backend.ToolCalls;
import dev.runyard.runner.backend.ToolFacts;
import dev.runyard.runner.backend.cli.CliStream;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The output of `pi --mode rpc`, one line at a time, as events of a run. If the model fails, the
/// process exits with 0: what counts is why the last message stopped.
public final class PiStream extends CliStream {
  private static final String AGENT = "pi";
  private static final ToolFacts FACTS = new ToolFacts(Set.of("edit"), Set.of("write"), Set.of());

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  /// @param model the requested model, null for the agent's own choice
  public PiStream(String callPrefix, @Nullable String model) {
    super(AGENT, "--mode rpc", new ToolCalls(callPrefix, FACTS), model);
  }

  /// Its conversation, which it reports on request.
  List<RunEvent> session(String id) {
    return session.named(id);
  }

  /// It did not begin, for a reason.
  void rejected(String why) {
    outcome.failed(why);
  }

  /// True when its model's last message was complete.
  boolean finished() {
    return outcome.isFinished();
  }

  @Override
  protected List<RunEvent> typed(StreamLine line) {
    return switch (line.type()) {
      case "turn_start" -> {
        outcome.working();
        yield List.of(new RunEvent.RunStatus("turn started"));
      }
      case "message_update" -> update(line.json().path("assistantMessageEvent"));
      case "message_end" -> ended(line.json().path("message"));
      case "tool_execution_start" ->
          tools.started(line.text("/toolCallId"), line.text("/toolName"), line.json().path("args"));
      case "tool_execution_end" ->
          tools.ended(
              line.text("/toolCallId"),
              ToolCalls.Result.of(
                  line.json().path("isError").asBoolean(),
                  texts(line.json().at("/result/content"))));
      case "auto_retry_start" ->
          List.of(
              new RunEvent.RuntimeWarning(
                  "model_retried", "pi asks its model again after a failure."));
      case "agent_start",
          "agent_end",
          "turn_end",
          "message_start",
          "tool_execution_update",
          "auto_retry_end",
          "queue_update",
          "session_info_changed",
          "thinking_level_changed",
          "compaction_start",
          "compaction_end" ->
          List.of();
      case String other -> warnings.unknown(other);
    };
  }

  private List<RunEvent> update(JsonNode event) {
    String delta = event.path("delta").asText("");
    return switch (event.path("type").asText("")) {
      case "text_delta" -> text(delta);
      case "thinking_delta" -> thought(delta);
      case String _ -> List.of();
    };
  }

  private List<RunEvent> ended(JsonNode message) {
    if (!message.path("role").asText("").equals("assistant")) {
      return List.of();
    }
    List<RunEvent> events = after(whole(texts(message.path("content"))), used(message));
    switch (message.path("stopReason").asText("")) {
      case "error", "aborted" -> outcome.failed(message.path("errorMessage").asText(""));
      case "toolUse" -> outcome.working();
      case String _ -> outcome.finished();
    }
    return events;
  }

  private List<RunEvent> used(JsonNode message) {
    JsonNode usage = message.path("usage");
    if (usage.path("totalTokens").asLong() == 0) {
      return List.of();
    }
    long cached = usage.path("cacheRead").asLong();
    long written = usage.path("cacheWrite").asLong();
    double cost = usage.at("/cost/total").asDouble();
    return used(
        new Usage(
            usage.path("input").asLong() + written + cached,
            cached,
            written,
            usage.path("output").asLong(),
            0,
            cost > 0 ? cost : null,
            1));
  }

  private static String texts(JsonNode content) {
    StringBuilder texts = new StringBuilder();
    for (JsonNode part : content) {
      if (part.path("type").asText("").equals("text")) {
        texts.append(part.path("text").asText(""));
      }
    }
    return texts.toString();
  }
}
