package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.Remembered;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What `codex app-server` reports about a thread. It reports far more than a run needs; everything
/// else is ignored.
final class AppServerEvents {
  static final int CHANGES_MAX = 64;
  static final int HELPERS_MAX = 1_024;

  private static final String FILE_CHANGE = "fileChange";

  private final CodexStream stream;

  /// As text, since its tree takes many times as much memory.
  private final Remembered<String> changes = new Remembered<>(CHANGES_MAX, String::length);

  private final Remembered<Usage> helpers = new Remembered<>(HELPERS_MAX, _ -> 0);

  AppServerEvents(CodexStream stream) {
    this.stream = stream;
  }

  List<RunEvent> heard(String method, JsonNode params) {
    return switch (method) {
      case "item/started" -> started(params);
      case "item/completed" -> {
        changes.forget(params.at("/item/id").asText(""));
        yield shown(CodexItemReader.whole(params.path("item"), true));
      }
      case "item/agentMessage/delta" ->
          shown(new CodexItem.Message(id(params), piece(text(params, "delta")), false));
      case "item/reasoning/summaryTextDelta", "item/reasoning/textDelta" ->
          thought(params, text(params, "delta"));
      case "item/reasoning/summaryPartAdded" ->
          params.path("summaryIndex").asInt(0) == 0
              ? List.of()
              : thought(params, CodexItem.PARAGRAPH);
      case "turn/plan/updated" -> shown(CodexItemReader.plan(params));
      case "thread/tokenUsage/updated" ->
          stream.told(new CodexEvent.Used(usage(params.at("/tokenUsage/total"))));
      case "error" -> stream.told(new CodexEvent.Complained(said(params.path("error"))));
      case "warning" -> shown(new CodexItem.Notice(text(params, "message")));
      default -> List.of();
    };
  }

  /// Of a thread of Codex's own helpers only the tokens count.
  List<RunEvent> heardOfHelper(String method, String thread, JsonNode params) {
    if (!method.equals("thread/tokenUsage/updated")) {
      return List.of();
    }
    Usage total = usage(params.at("/tokenUsage/total"));
    Usage first = total.beyond(usage(params.at("/tokenUsage/last")));
    Usage before = helpers.get(thread);
    helpers.put(thread, total);
    return stream.answered(total.beyond(before == null ? first : before), thread);
  }

  List<RunEvent> threadOpened(String id) {
    return stream.told(new CodexEvent.ThreadOpened(id));
  }

  List<RunEvent> turnStarted() {
    return stream.told(new CodexEvent.TurnStarted());
  }

  /// @param wanted whether an interruption was requested
  List<RunEvent> turnEnded(JsonNode turn, boolean wanted) {
    return switch (turn.path("status").asText("")) {
      case "failed" -> failed(said(turn.path("error")));
      case "interrupted" -> wanted ? completed() : failed("interrupted");
      default -> completed();
    };
  }

  List<RunEvent> failed(String message) {
    return stream.told(new CodexEvent.TurnFailed(message));
  }

  /// The changes of files that are about to be made; missing if they were not reported.
  JsonNode changes(String itemId) {
    String known = changes.get(itemId);
    try {
      return known == null ? MissingNode.getInstance() : JsonFormat.JSON.readTree(known);
    } catch (JsonProcessingException _) {
      return MissingNode.getInstance();
    }
  }

  private List<RunEvent> completed() {
    return stream.told(new CodexEvent.TurnCompleted(Optional.empty()));
  }

  private List<RunEvent> started(JsonNode params) {
    JsonNode item = params.path("item");
    if (text(item, "type").equals(FILE_CHANGE)) {
      changes.put(text(item, "id"), item.path("changes").toString());
    }
    return shown(CodexItemReader.whole(item, false));
  }

  private List<RunEvent> thought(JsonNode params, String piece) {
    return shown(new CodexItem.Thought(id(params), piece(piece)));
  }

  private List<RunEvent> shown(CodexItem item) {
    return stream.told(new CodexEvent.ItemShown(item));
  }

  /// An empty text is not a piece: the whole may still come.
  private static CodexItem.Text piece(String text) {
    return new CodexItem.Text(text, !text.isEmpty());
  }

  private static String id(JsonNode params) {
    return text(params, "itemId");
  }

  /// All text of an error, with Codex's own name of its kind.
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
}
