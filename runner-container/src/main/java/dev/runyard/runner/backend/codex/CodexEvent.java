package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.usage.Usage;
import java.util.Optional;

/// Something that happened in Codex, whichever way it was told: as a line of `codex exec --json`
/// ([#exec]) or as a message of `codex app-server` ([AppServerEvents]).
sealed interface CodexEvent {
  /// The thread that the run works in is there.
  record ThreadOpened(String id) implements CodexEvent {}

  record TurnStarted() implements CodexEvent {}

  /// A turn went well.
  ///
  /// @param total what the thread used from its start, where that is told now
  record TurnCompleted(Optional<Usage> total) implements CodexEvent {}

  record TurnFailed(String message) implements CodexEvent {}

  /// Something went wrong, and Codex may get over it.
  record Complained(String message) implements CodexEvent {}

  record ItemShown(CodexItem item) implements CodexEvent {}

  /// Tokens were counted.
  ///
  /// @param total that the thread used from its start
  record Used(Usage total) implements CodexEvent {}

  record Unknown(String type) implements CodexEvent {}

  /// An event of `codex exec --json`.
  static CodexEvent exec(String type, JsonNode event) {
    return switch (type) {
      case "thread.started", "thread.resumed" ->
          new ThreadOpened(event.path("thread_id").asText(""));
      case "turn.started" -> new TurnStarted();
      case "turn.completed" ->
          new TurnCompleted(
              Optional.of(event.path("usage"))
                  .filter(JsonNode::isObject)
                  .map(CodexRollouts::usage));
      case "turn.failed" ->
          new TurnFailed(event.at("/error/message").asText(event.path("message").asText("")));
      case "error" -> new Complained(event.path("message").asText(""));
      case "item.started", "item.created", "item.updated", "item.delta" ->
          new ItemShown(CodexItemReader.exec(event, false));
      case "item.completed" -> new ItemShown(CodexItemReader.exec(event, true));
      case String other -> new Unknown(other);
    };
  }
}
