package dev.runyard.core.event;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.message.OutputPart;
import org.jspecify.annotations.Nullable;

/// How much room an event takes, guessed from above without counting its text: what bounds chunks
/// and backlogs must cost nothing itself.
public final class EventSize {
  private static final int ENVELOPE_BYTES = 1024;
  private static final int ENTRY_BYTES = 64;
  private static final int CHAR_BYTES_MAX = 3;

  private EventSize() {}

  /// Bytes of UTF-8 an event of an agent's output has at most; other events are small.
  public static int atMost(RunEvent event) {
    return switch (event) {
      case RunEvent.ModelDelta delta -> text(delta.text()) + part(delta.part());
      case RunEvent.ReasoningDelta delta -> text(delta.text());
      case RunEvent.ToolStarted tool -> ENVELOPE_BYTES + text(tool.input());
      case RunEvent.ToolProgress tool -> ENVELOPE_BYTES + text(tool.preview());
      case RunEvent.ToolResult tool -> ENVELOPE_BYTES + text(tool.preview());
      case RunEvent.ToolFailed tool -> ENVELOPE_BYTES + text(tool.preview());
      case RunEvent.ArtifactChanged file -> ENVELOPE_BYTES + text(file.path());
      case RunEvent.TaskProgress plan ->
          ENVELOPE_BYTES
              + plan.entries().stream().mapToInt(e -> ENTRY_BYTES + text(e.text())).sum();
      case RunEvent.RuntimeWarning warning -> ENVELOPE_BYTES + text(warning.message());
      case RunEvent.RuntimeError error -> ENVELOPE_BYTES + text(error.message());
      case RunEvent.ActionRequired action ->
          ENVELOPE_BYTES + text(action.prompt()) + json(action.schema()) + json(action.payload());
      case RunEvent.ChannelMessage message -> ENVELOPE_BYTES + text(message.content());
      case RunEvent.Other other -> ENVELOPE_BYTES + text(other.payload().toString());
      case RunEvent _ -> ENVELOPE_BYTES;
    };
  }

  private static int part(@Nullable OutputPart part) {
    return part == null
        ? 0
        : ENVELOPE_BYTES + text(part.contentUrl()) + text(part.name()) + json(part.metadata());
  }

  private static int json(@Nullable JsonNode node) {
    return node == null ? 0 : text(node.toString());
  }

  private static int text(@Nullable String text) {
    return text == null ? 0 : text.length() * CHAR_BYTES_MAX;
  }
}
