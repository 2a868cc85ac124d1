package dev.runyard.runner.backend;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Applies the bounds of an event: long text becomes several events, messages, inputs and names are
/// cut with a suffix, outputs are cut in the middle, and text without a UTF-8 form gets one.
final class EventBounds {
  static final int SESSION_ID_BYTES_MAX = 1024;

  private EventBounds() {}

  static List<RunEvent> apply(RunEvent event) {
    return switch (event) {
      case RunEvent.ModelDelta delta when delta.part() == null ->
          split(delta.text(), RunEvent.ModelDelta::new);
      case RunEvent.ReasoningDelta delta -> split(delta.text(), RunEvent.ReasoningDelta::new);
      case RunEvent.RuntimeWarning warning ->
          List.of(new RunEvent.RuntimeWarning(name(warning.code()), message(warning.message())));
      case RunEvent.RuntimeError error ->
          List.of(new RunEvent.RuntimeError(name(error.code()), message(error.message())));
      case RunEvent.ToolStarted tool ->
          List.of(
              new RunEvent.ToolStarted(
                  name(tool.toolCallId()),
                  name(tool.name()),
                  name(tool.kind()),
                  preview(tool.input()),
                  known(tool.subagentId())));
      case RunEvent.ToolProgress tool ->
          List.of(
              new RunEvent.ToolProgress(
                  name(tool.toolCallId()),
                  name(tool.name()),
                  name(tool.kind()),
                  preview(tool.preview()),
                  known(tool.subagentId())));
      case RunEvent.ToolResult tool ->
          List.of(
              new RunEvent.ToolResult(
                  name(tool.toolCallId()),
                  name(tool.name()),
                  name(tool.kind()),
                  tool.exitCode(),
                  ends(tool.preview()),
                  tool.outputBytes(),
                  tool.outputRef(),
                  known(tool.subagentId())));
      case RunEvent.ToolFailed tool ->
          List.of(
              new RunEvent.ToolFailed(
                  name(tool.toolCallId()),
                  name(tool.name()),
                  name(tool.kind()),
                  tool.exitCode(),
                  ends(tool.preview()),
                  tool.outputBytes(),
                  tool.outputRef(),
                  known(tool.subagentId())));
      case RunEvent.SessionUpdated session ->
          List.of(session(Bounds.wellFormed(session.nativeSessionId()).strip()));
      case RunEvent.CostRecorded cost ->
          List.of(
              new RunEvent.CostRecorded(
                  cost.usage(), known(cost.model()), cost.call(), known(cost.subagentId())));
      case RunEvent.OutputTruncated cut ->
          List.of(new RunEvent.OutputTruncated(name(cut.what()), cut.bytes(), cut.bytesMax()));
      case RunEvent.OutputRedacted cut ->
          List.of(new RunEvent.OutputRedacted(name(cut.secret()), cut.count()));
      case RunEvent.OutputSpilled output ->
          List.of(
              new RunEvent.OutputSpilled(
                  output.outputRef(),
                  name(output.toolCallId()),
                  output.bytes(),
                  output.sha256(),
                  output.contentType()));
      case RunEvent.ArtifactChanged file ->
          List.of(
              new RunEvent.ArtifactChanged(known(file.toolCallId()), file.path(), file.change()));
      case RunEvent.ModelDelta _,
          RunEvent.ModelCompleted _,
          RunEvent.TaskProgress _,
          RunEvent.Other _,
          RunEvent.StateChange _,
          RunEvent.Interaction _,
          RunEvent.Notice _ ->
          List.of(event);
    };
  }

  private static List<RunEvent> split(String text, Function<String, RunEvent> event) {
    return Bounds.split(Bounds.wellFormed(text), Limits.TEXT_BYTES_MAX).stream()
        .map(event)
        .toList();
  }

  /// Part of an id would name another session, so one that is too long is left out.
  private static RunEvent session(String id) {
    return !id.isEmpty() && Bounds.bytes(id) <= SESSION_ID_BYTES_MAX
        ? new RunEvent.SessionUpdated(id)
        : new RunEvent.RuntimeWarning(
            "session_handle_omitted",
            id.isEmpty()
                ? "session handle omitted: id is blank"
                : "session handle omitted: id exceeds %d bytes".formatted(SESSION_ID_BYTES_MAX));
  }

  private static String name(String text) {
    return Bounds.truncate(Bounds.wellFormed(text), Bounds.CHANNEL_BYTES_MAX);
  }

  private static @Nullable String known(@Nullable String text) {
    return text == null ? null : name(text);
  }

  private static String message(String text) {
    return Bounds.truncate(Bounds.wellFormed(text), Bounds.MESSAGE_BYTES_MAX);
  }

  private static @Nullable String preview(@Nullable String text) {
    return text == null ? null : message(text);
  }

  private static @Nullable String ends(@Nullable String text) {
    return text == null ? null : Bounds.ends(Bounds.wellFormed(text), Bounds.MESSAGE_BYTES_MAX);
  }
}
