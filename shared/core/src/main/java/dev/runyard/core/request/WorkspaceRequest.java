package dev.runyard.core.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.runyard.core.limits.Limits;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a run wants of its workspace: the files to begin with, commands that make them ready, and
/// what is kept of them at the end. As it is stored; at most one of the first four is set.
///
/// @param git see [WorkspaceSource.Git]
/// @param upload the id of an upload
/// @param session true for the files of the session's last run
/// @param run the id of the run whose files these are
/// @param setup commands for a shell, run one after another before the agent starts
/// @param setupTimeoutSeconds for all of them together
/// @param artifacts patterns of the files that are kept under their names
/// @param archive whether all files are kept as one archive
/// @param commit the one that the run's first checkout resolved; null before that
/// @param publish how what the run changed is published; null if it is not
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WorkspaceRequest(
    WorkspaceSource.@Nullable Git git,
    @Nullable String upload,
    @Nullable Boolean session,
    @Nullable String run,
    List<String> setup,
    @JsonProperty("setupTimeoutSeconds") int setupTimeoutSeconds,
    List<String> artifacts,
    boolean archive,
    @Nullable String commit,
    @Nullable PublishRequest publish) {
  public WorkspaceRequest {
    setup = setup == null ? List.of() : List.copyOf(setup);
    artifacts = artifacts == null ? List.of() : List.copyOf(artifacts);
  }

  /// Of this source, with nothing else.
  public static WorkspaceRequest of(WorkspaceSource source) {
    return of(source, List.of(), Limits.SETUP_SECONDS_DEFAULT, List.of(), false);
  }

  public static WorkspaceRequest of(
      WorkspaceSource source,
      List<String> setup,
      int setupTimeoutSeconds,
      List<String> artifacts,
      boolean archive) {
    return new WorkspaceRequest(
        source instanceof WorkspaceSource.Git own ? own : null,
        source instanceof WorkspaceSource.Upload own ? own.id() : null,
        source instanceof WorkspaceSource.Session ? Boolean.TRUE : null,
        source instanceof WorkspaceSource.Run own ? own.runId() : null,
        setup,
        setupTimeoutSeconds,
        artifacts,
        archive,
        null,
        null);
  }

  /// The same whose change is published.
  public WorkspaceRequest publishing(@Nullable PublishRequest how) {
    return new WorkspaceRequest(
        git, upload, session, run, setup, setupTimeoutSeconds, artifacts, archive, commit, how);
  }

  /// The run whose change is published, where that is all that this one does.
  public Optional<String> publishes() {
    return Optional.ofNullable(publish).map(PublishRequest::of);
  }

  /// The same with the commit that it means from now on.
  public WorkspaceRequest at(@Nullable String resolved) {
    return new WorkspaceRequest(
        git,
        upload,
        session,
        run,
        setup,
        setupTimeoutSeconds,
        artifacts,
        archive,
        commit == null ? resolved : commit,
        publish);
  }

  /// Where its files come from.
  public WorkspaceSource source() {
    if (git != null) {
      return git;
    }
    if (upload != null) {
      return new WorkspaceSource.Upload(upload);
    }
    if (run != null) {
      return new WorkspaceSource.Run(run);
    }
    return session != null && session ? new WorkspaceSource.Session() : new WorkspaceSource.None();
  }

  /// The same without what only a runner needs.
  WorkspaceRequest slim() {
    return new WorkspaceRequest(
        git,
        upload,
        session,
        run,
        List.of(),
        setupTimeoutSeconds,
        List.of(),
        archive,
        commit,
        null);
  }
}
