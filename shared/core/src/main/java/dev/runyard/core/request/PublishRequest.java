package dev.runyard.core.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.runyard.core.ids.RunKey;
import org.jspecify.annotations.Nullable;

/// How what a run changed is published: as one commit on a branch of its own, and as a pull request
/// for that branch.
///
/// @param branch a new one
/// @param message of the commit; null for one that names the run
/// @param push whether the branch is sent; if not, only the commit's id is told
/// @param pullRequest null if none is wanted
/// @param credential the name of the secret that the server wants; null for a server that wants
///   none
/// @param author of the commit; null for Runyard
/// @param of the run whose change it is; null for the run that has this in its request
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PublishRequest(
    String branch,
    @Nullable String message,
    boolean push,
    @Nullable PullRequest pullRequest,
    @Nullable String credential,
    @Nullable Author author,
    @Nullable String of) {
  /// A pull request; GitLab calls it a merge request.
  ///
  /// @param title null for the first line of the commit's message
  /// @param base the branch to merge into; null for the one that the workspace began with
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PullRequest(
      @Nullable String title, @Nullable String body, @Nullable String base, boolean draft) {}

  /// Who wrote what is committed.
  public record Author(String name, String email) {}

  /// The same of the change of another run.
  public PublishRequest of(RunKey run) {
    return new PublishRequest(branch, message, push, pullRequest, credential, author, run.runId());
  }

  /// The same with this credential.
  public PublishRequest with(@Nullable String secret) {
    return new PublishRequest(branch, message, push, pullRequest, secret, author, of);
  }

  /// The message of the commit.
  public String messageFor(RunKey run) {
    return message == null ? "Changes of run " + run.runId() : message;
  }

  /// The title of the pull request.
  public String titleFor(RunKey run) {
    return pullRequest == null || pullRequest.title() == null
        ? messageFor(run).lines().findFirst().orElse("")
        : pullRequest.title();
  }
}
