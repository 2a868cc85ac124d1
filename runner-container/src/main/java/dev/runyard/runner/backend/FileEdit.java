package dev.runyard.runner.backend;

import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.RunEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file that a tool call changed, according to its agent.
///
/// @param change null if the agent does not say whether the file was there before
public record FileEdit(String path, @Nullable FileChange change) {

  /// The characters that some hold.
  public static long chars(List<FileEdit> edits) {
    return edits.stream().mapToLong(edit -> Remembered.ENTRY_CHARS + edit.path().length()).sum();
  }

  /// The event of it.
  ///
  /// @param toolCallId the call's id in its other events
  public RunEvent told(String toolCallId) {
    return new RunEvent.ArtifactChanged(toolCallId, path, change);
  }
}
