package dev.runyard.core.artifact;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one attempt left of its workspace, for later runs. As it is stored.
///
/// @param runId of the run that left it
/// @param attempt its number
/// @param sessionId what the files of the run's thread lie below
/// @param kept false if the files could not be kept
/// @param changed files that are not kept as they were
/// @param repository what the files were checked out of; null for those that come from nowhere
/// @param before what the run itself began with, for an attempt that begins again; without an own
///   one
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LeftWorkspace(
    @JsonProperty("run_id") String runId,
    @JsonProperty("attempt") int attempt,
    @JsonProperty("attempt_id") String attemptId,
    @JsonProperty("session_id") String sessionId,
    @JsonProperty("kept") boolean kept,
    @JsonProperty("changed") int changed,
    @JsonProperty("repository") @Nullable Repository repository,
    @JsonProperty("before") @Nullable LeftWorkspace before) {
  /// What an agent's repository has checked out.
  ///
  /// @param url without a user's name
  /// @param ref `refs/heads/…` or `refs/tags/…`; null for a commit alone
  /// @param object the id that the ref has
  /// @param sparse the only folders
  /// @param credential the name of the secret that it was fetched with
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Repository(
      @JsonProperty("url") String url,
      @JsonProperty("ref") @Nullable String ref,
      @JsonProperty("object") String object,
      @JsonProperty("commit") String commit,
      @JsonProperty("sparse") List<String> sparse,
      @JsonProperty("credential") @Nullable String credential) {
    public Repository {
      sparse = sparse == null ? List.of() : List.copyOf(sparse);
    }
  }

  /// The same after what the session had before.
  LeftWorkspace after(@Nullable LeftWorkspace earlier) {
    return new LeftWorkspace(
        runId, attempt, attemptId, sessionId, kept, changed, repository, earlier);
  }
}
