package dev.runyard.core.change;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.runyard.core.problem.Failure;
import org.jspecify.annotations.Nullable;

/// What became of the last try to publish what a run changed, as it is stored and shown.
///
/// @param by the run that tried: the run itself, or one that was made for it
/// @param commit its id; null if it was not made
/// @param pushed whether the branch was on the server afterwards
/// @param pullRequest null if there is none
/// @param error null if all that was asked for is done
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Publication(
    @JsonProperty("run_id") String by,
    String branch,
    @Nullable String commit,
    boolean pushed,
    @Nullable @JsonProperty("pull_request") PullRequest pullRequest,
    @Nullable Failure error) {
  /// A pull request that is there.
  ///
  /// @param number by which its server and people name it
  /// @param url for people; null if the server gave none that can be shown
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PullRequest(long number, @Nullable String url) {}

  /// The same with an error.
  public Publication because(Failure why) {
    return new Publication(by, branch, commit, pushed, pullRequest, why);
  }
}
