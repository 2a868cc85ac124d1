package dev.runyard.core.change;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// A file that differs from the commit a run began with.
///
/// @param path below the workspace, with slashes
/// @param from its path before it was renamed
/// @param mode as git writes it, such as `100644`; null for a deleted file
/// @param modeBefore null for an added file
/// @param linesAdded null where lines are not counted: binary files, and a change too large to be
///   compared
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ChangedFile(
    String path,
    Kind kind,
    @Nullable String from,
    @Nullable String mode,
    @JsonProperty("mode_before") @Nullable String modeBefore,
    @JsonProperty("lines_added") @Nullable Long linesAdded,
    @JsonProperty("lines_removed") @Nullable Long linesRemoved) {
  /// How it differs.
  public enum Kind {
    @JsonProperty("added")
    ADDED,
    @JsonProperty("modified")
    MODIFIED,
    @JsonProperty("deleted")
    DELETED,
    @JsonProperty("renamed")
    RENAMED,
    /// Only its mode.
    @JsonProperty("mode")
    MODE
  }
}
