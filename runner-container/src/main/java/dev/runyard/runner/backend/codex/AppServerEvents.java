package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What `codex app-server` tells of a thread, put in the terms of `codex exec --json`, so that a
/// run has the same events either way. It tells far more than a run needs: what is not named here
/// is left out without a word.
final class AppServerEvents {
  private static final String FILE_CHANGE = "fileChange";

  private final CodexStream stream;
  private final Map<String, JsonNode> changes = new HashMap<>();
  private final Map<String, Usage> helpers = new HashMap<>();

  AppServerEvents(CodexStream stream) {
    this.stream = stream;
  }

  List<RunEvent> heard(String method, JsonNode params) {
    return switch (method) {
      case "item/started" -> started(params);
      case "item/completed" -> {
        changes.remove(params.at("/item/id").asText(""));
        yield stream.typed("item.completed", params);
      }
      case "item/agentMessage/delta" -> piece("agent_message", params, text(params, "delta"));
      case "item/reasoning/summaryTextDelta", "item/reasoning/textDelta" ->
          piece("reasoning", params, text(params, "delta"));
      case "item/reasoning/summaryPartAdded" ->
          params.path("summaryIndex").asInt(0) == 0
              ? List.of()
              : piece("reasoning", params, CodexItem.PARAGRAPH);
      case "turn/plan/updated" -> plan(params.path("plan"));
      case "thread/tokenUsage/updated" -> stream.used(usage(params.at("/tokenUsage/total")));
      case "error" -> stream.typed("error", object().put("message", said(params.path("error"))));
      case "warning" -> notice(text(params, "message"));
      default -> List.of();
    };
  }

  /// Of a thread that one of Codex's own helpers works in only its tokens count.
  List<RunEvent> heardOfHelper(String method, String thread, JsonNode params) {
    if (!method.equals("thread/tokenUsage/updated")) {
      return List.of();
    }
    Usage total = usage(params.at("/tokenUsage/total"));
    Usage first = total.beyond(usage(params.at("/tokenUsage/last")));
    Usage before = helpers.getOrDefault(thread, first);
    helpers.put(thread, total);
    return stream.answered(total.beyond(before));
  }

  List<RunEvent> threadOpened(String id) {
    return stream.typed("thread.started", object().put("thread_id", id));
  }

  List<RunEvent> turnStarted() {
    return stream.typed("turn.started", object());
  }

  /// @param wanted whether an interruption was wanted
  List<RunEvent> turnEnded(JsonNode turn, boolean wanted) {
    return switch (turn.path("status").asText("")) {
      case "failed" -> failed(said(turn.path("error")));
      case "interrupted" -> wanted ? completed() : failed("interrupted");
      default -> completed();
    };
  }

  List<RunEvent> failed(String message) {
    ObjectNode event = object();
    event.putObject("error").put("message", message);
    return stream.typed("turn.failed", event);
  }

  /// The change of files that is about to be made; missing where it was not told.
  JsonNode change(String itemId) {
    return changes.getOrDefault(itemId, MissingNode.getInstance());
  }

  private List<RunEvent> completed() {
    return stream.typed("turn.completed", object());
  }

  private List<RunEvent> started(JsonNode params) {
    JsonNode item = params.path("item");
    if (text(item, "type").equals(FILE_CHANGE)) {
      changes.put(text(item, "id"), item);
    }
    return stream.typed("item.started", params);
  }

  private List<RunEvent> piece(String type, JsonNode params, String piece) {
    ObjectNode event = object().put("item_id", text(params, "itemId")).put("item_type", type);
    event.putObject("delta").put("text_delta", piece);
    return stream.typed("item.delta", event);
  }

  private List<RunEvent> plan(JsonNode steps) {
    ObjectNode event = object();
    ArrayNode items = event.putObject("item").put("type", "todo_list").putArray("items");
    for (JsonNode step : steps) {
      items.addObject().put("text", text(step, "step")).put("status", text(step, "status"));
    }
    return stream.typed("item.updated", event);
  }

  private List<RunEvent> notice(String message) {
    ObjectNode event = object();
    event.putObject("item").put("type", "error").put("message", message);
    return stream.typed("item.completed", event);
  }

  /// All that an error says, with Codex's own name of its kind.
  private static String said(JsonNode error) {
    JsonNode info = error.path("codexErrorInfo");
    String kind =
        info.isObject()
            ? String.join(" ", info.properties().stream().map(Map.Entry::getKey).toList())
            : info.asText("");
    return text(error, "message") + "\n" + text(error, "additionalDetails") + "\ninfo " + kind;
  }

  private static Usage usage(JsonNode total) {
    return new Usage(
        total.path("inputTokens").asLong(),
        total.path("cachedInputTokens").asLong(),
        total.path("outputTokens").asLong(),
        total.path("reasoningOutputTokens").asLong(),
        null);
  }

  private static String text(JsonNode json, String member) {
    return json.path(member).isTextual() ? json.path(member).asText() : "";
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
