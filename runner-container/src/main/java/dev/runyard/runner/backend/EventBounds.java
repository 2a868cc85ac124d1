package dev.runyard.runner.backend;

import dev.runyard.core.event.Bounds;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Limits;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Applies the bounds of an event: long text becomes several events whose texts make the whole,
/// messages and previews are cut with a suffix, and text without a UTF-8 form gets one.
final class EventBounds {
  private EventBounds() {}

  static List<RunEvent> apply(RunEvent event) {
    return switch (event) {
      case RunEvent.ModelDelta delta -> split(delta.text(), RunEvent.ModelDelta::new);
      case RunEvent.ReasoningDelta delta -> split(delta.text(), RunEvent.ReasoningDelta::new);
      case RunEvent.RuntimeWarning warning ->
          List.of(new RunEvent.RuntimeWarning(warning.code(), message(warning.message())));
      case RunEvent.RuntimeError error ->
          List.of(new RunEvent.RuntimeError(error.code(), message(error.message())));
      case RunEvent.ToolStarted tool ->
          List.of(
              new RunEvent.ToolStarted(
                  tool.toolCallId(), tool.name(), tool.kind(), preview(tool.input())));
      case RunEvent.ToolProgress tool ->
          List.of(
              new RunEvent.ToolProgress(
                  tool.toolCallId(), tool.name(), tool.kind(), preview(tool.preview())));
      case RunEvent.ToolResult tool ->
          List.of(
              new RunEvent.ToolResult(
                  tool.toolCallId(),
                  tool.name(),
                  tool.kind(),
                  tool.exitCode(),
                  preview(tool.preview()),
                  tool.outputBytes()));
      case RunEvent.ToolFailed tool ->
          List.of(
              new RunEvent.ToolFailed(
                  tool.toolCallId(),
                  tool.name(),
                  tool.kind(),
                  tool.exitCode(),
                  preview(tool.preview()),
                  tool.outputBytes()));
      case RunEvent other -> List.of(other);
    };
  }

  private static List<RunEvent> split(String text, Function<String, RunEvent> event) {
    return Bounds.split(Bounds.wellFormed(text), Limits.TEXT_BYTES_MAX).stream()
        .map(event)
        .toList();
  }

  private static String message(String text) {
    return Bounds.truncate(Bounds.wellFormed(text), Bounds.MESSAGE_BYTES_MAX);
  }

  private static @Nullable String preview(@Nullable String text) {
    return text == null ? null : message(text);
  }
}
