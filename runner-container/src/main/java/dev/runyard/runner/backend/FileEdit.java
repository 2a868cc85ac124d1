package dev.runyard.runner.backend;

import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.RunEvent;
import org.jspecify.annotations.Nullable;

/// A file a tool call changed, as its agent says it.
///
/// @param change null where the agent does not say whether the file was there before
public record FileEdit(String path, @Nullable FileChange change) {

  /// The event of it.
  ///
  /// @param toolCallId the call, by the id its other events have
  public RunEvent told(String toolCallId) {
    return new RunEvent.ArtifactChanged(toolCallId, path, change);
  }
}
