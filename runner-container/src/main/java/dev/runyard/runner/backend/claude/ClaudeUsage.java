package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.Remembered;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The usage of a Claude Code process: each answer of the model once it is whole, and at the end of
/// a turn what was not reported before, so that the sum is always Claude Code's own. Of its helpers
/// Claude Code reports only the answers that use a tool; the rest is only in the sums. Not
/// thread-safe.
final class ClaudeUsage {
  static final int HELPER_ANSWERS_MAX = 4096;

  private final Remembered<Boolean> helperAnswers = new Remembered<>(HELPER_ANSWERS_MAX, _ -> 0);
  private Usage told = Usage.NONE;
  private Usage toldOfTurn = Usage.NONE;
  private @Nullable Usage open;
  private @Nullable String model;
  private double costUsd;

  /// A part of an unfinished answer.
  List<RunEvent> part(JsonNode event) {
    JsonNode message = event.path("message");
    return switch (event.path("type").asText("")) {
      case "message_start" -> {
        List<RunEvent> before = close();
        open = counted(message.path("usage"));
        model = message.path("model").isTextual() ? message.path("model").asText() : null;
        yield before;
      }
      case "message_delta" -> {
        open = open == null ? null : grown(open, event.path("usage"));
        yield List.of();
      }
      case "message_stop" -> close();
      default -> List.of();
    };
  }

  /// An answer of a helper, whose blocks come one by one.
  List<RunEvent> helper(@Nullable String subagent, JsonNode message) {
    String id = message.path("id").asText("");
    boolean counts = message.path("usage").isObject() && !id.isEmpty();
    if (!counts || helperAnswers.has(id)) {
      return List.of();
    }
    helperAnswers.put(id, true);
    return List.of(
        answer(counted(message.path("usage")), message.path("model").asText(null), subagent));
  }

  /// The end of a turn. Its cost and its tokens by model are those of the process so far; its other
  /// tokens are those of the turn without its helpers.
  List<RunEvent> result(JsonNode result, @Nullable String asked) {
    List<RunEvent> events = new ArrayList<>(close());
    JsonNode models = result.path("modelUsage");
    Usage more =
        models.isEmpty()
            ? counted(result.path("usage")).beyond(toldOfTurn)
            : ofModels(models).beyond(told);
    told = told.plus(more);
    toldOfTurn = Usage.NONE;
    JsonNode total = result.path("total_cost_usd");
    Double cost = null;
    if (total.isNumber()) {
      cost = Math.max(0, total.doubleValue() - costUsd);
      costUsd = total.doubleValue();
    }
    if (cost != null || more.tokens() > 0) {
      events.add(new RunEvent.CostRecorded(more.at(cost), asked));
    }
    return events;
  }

  /// The unfinished answer, which may have been cut off.
  private List<RunEvent> close() {
    Usage answer = open;
    open = null;
    return answer == null ? List.of() : List.of(answer(answer, model, null));
  }

  private RunEvent answer(Usage usage, @Nullable String by, @Nullable String subagent) {
    told = told.plus(usage);
    toldOfTurn = toldOfTurn.plus(usage);
    return new RunEvent.CostRecorded(usage.asTurn(), by, null, subagent);
  }

  private static Usage counted(JsonNode usage) {
    return of(
        usage.path("input_tokens").asLong(),
        usage.path("cache_read_input_tokens").asLong(),
        usage.path("cache_creation_input_tokens").asLong(),
        usage.path("output_tokens").asLong());
  }

  /// Counts at the end of an answer replace those at its start; missing ones stay.
  private static Usage grown(Usage start, JsonNode usage) {
    long cached = usage.path("cache_read_input_tokens").asLong(start.cachedInputTokens());
    long written = usage.path("cache_creation_input_tokens").asLong(start.cacheWriteTokens());
    long plain = start.inputTokens() - start.cachedInputTokens() - start.cacheWriteTokens();
    return of(
        usage.path("input_tokens").asLong(plain),
        cached,
        written,
        usage.path("output_tokens").asLong(start.outputTokens()));
  }

  private static Usage ofModels(JsonNode models) {
    Usage all = Usage.NONE;
    for (JsonNode used : models) {
      all =
          all.plus(
              of(
                  used.path("inputTokens").asLong(),
                  used.path("cacheReadInputTokens").asLong(),
                  used.path("cacheCreationInputTokens").asLong(),
                  used.path("outputTokens").asLong()));
    }
    return all;
  }

  private static Usage of(long plain, long cached, long written, long output) {
    return new Usage(plain + cached + written, cached, written, output, 0, null, 0);
  }
}
