package dev.runyard.core.change;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the runs that worked on the same files one after another have changed together, up to and
/// with the run that this is kept of.
///
/// @param url of the repository that was checked out, without a user's name; empty for other files
/// @param ref the branch or tag that was checked out, without `refs/…`; null for a commit alone
/// @param commit the one that was checked out, on which the patch applies; the id of a tree if
///   there were no files
/// @param sparse the only folders
/// @param credential the name of the secret that it was fetched with
/// @param runs the oldest first, at most [#RUNS_MAX] of the newest
/// @param files how many there are
/// @param patch null if there is none, because it would be too large or that of an earlier run is
///   not kept
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WholeChange(
    String url,
    @Nullable String ref,
    @JsonProperty("base_commit") String commit,
    List<String> sparse,
    @Nullable String credential,
    List<String> runs,
    @JsonProperty("files_total") long files,
    @Nullable KeptObject patch) {
  /// Most runs that are named.
  public static final int RUNS_MAX = 200;

  public WholeChange {
    sparse = sparse == null ? List.of() : List.copyOf(sparse);
    runs = runs == null ? List.of() : List.copyOf(runs.subList(over(runs), runs.size()));
  }

  private static int over(List<String> runs) {
    return Math.max(0, runs.size() - RUNS_MAX);
  }
}
