package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.usage.Usage;
import java.util.Optional;

/// An event of Codex, either from a line of `codex exec --json` ([#exec]) or from a message of
/// `codex app-server` ([AppServerEvents]).
sealed interface CodexEvent {
  /// The run's thread was opened.
  record ThreadOpened(String id) implements CodexEvent {}

  record TurnStarted() implements CodexEvent {}

  /// A turn succeeded.
  ///
  /// @param total what the thread used from its start, if that is reported here
  record TurnCompleted(Optional<Usage> total) implements CodexEvent {}

  record TurnFailed(String message) implements CodexEvent {}

  /// Something went wrong, but Codex may recover.
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
