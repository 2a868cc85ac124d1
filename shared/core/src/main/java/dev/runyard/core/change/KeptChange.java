package dev.runyard.core.change;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What an attempt left in its workspace: the stored list of it, which names the stored objects.
///
/// @param attempt its number
/// @param baseCommit the commit that the patch applies on
/// @param files at most [ChangeBounds#LISTED_MAX] of them
/// @param filesTotal how many there are
/// @param patch null if there is none, because it would be too large
/// @param archive of all files; null if none was wanted and there is a patch, or if it would be too
///   large
/// @param leftOut at most [ChangeBounds#LEFT_OUT_MAX] of them
/// @param leftOutTotal how many there are
/// @param whole what earlier runs and this one have changed together; null for a run that did not
///   begin with what an earlier one left
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeptChange(
    int attempt,
    @JsonProperty("attempt_id") String attemptId,
    @JsonProperty("base_commit") String baseCommit,
    List<ChangedFile> files,
    @JsonProperty("files_total") long filesTotal,
    @JsonProperty("lines_added") long linesAdded,
    @JsonProperty("lines_removed") long linesRemoved,
    @Nullable KeptObject patch,
    @Nullable KeptObject archive,
    List<KeptObject> artifacts,
    @JsonProperty("left_out") List<LeftOut> leftOut,
    @JsonProperty("left_out_total") long leftOutTotal,
    @Nullable WholeChange whole) {
  public KeptChange {
    files = List.copyOf(files);
    artifacts = List.copyOf(artifacts);
    leftOut = List.copyOf(leftOut);
  }

  /// Those that there are: its own, and that of several runs together.
  public List<KeptObject> patches() {
    return Stream.of(patch, whole == null ? null : whole.patch())
        .flatMap(Stream::ofNullable)
        .toList();
  }
}
