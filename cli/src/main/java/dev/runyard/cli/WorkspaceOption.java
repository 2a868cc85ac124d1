package dev.runyard.cli;

import dev.runyard.cli.client.NewRun;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of `run` that say which files the run begins with, and which are kept.
final class WorkspaceOption {
  @ArgGroup(exclusive = false)
  private @Nullable GitOption git;

  @Option(
      names = "--setup",
      paramLabel = "CMD",
      description = "Shell command before the agent starts; may be repeated.")
  private List<String> setup = new ArrayList<>();

  @Option(
      names = "--setup-timeout",
      paramLabel = "SECONDS",
      description = "Time for all of these commands.")
  private @Nullable Integer setupTimeout;

  @Option(
      names = "--artifact",
      paramLabel = "GLOB",
      description = "Files to keep, such as 'dist/**'; may be repeated.")
  private List<String> artifacts = new ArrayList<>();

  @Option(names = "--archive", description = "Keep all files as one archive.")
  private boolean archive;

  @Option(names = "--empty", description = "Begin with no files, also where the session has some.")
  private boolean empty;

  @Option(
      names = "--from-run",
      paramLabel = "RUN",
      description = "Begin with the files as this run left them.")
  private @Nullable String run;

  @Mixin private PublishOption publish = new PublishOption();

  /// A repository to begin with.
  static final class GitOption {
    @Option(
        names = "--git",
        required = true,
        paramLabel = "URL",
        description = "Repository the run begins with.")
    private String url = "";

    @Option(
        names = "--ref",
        paramLabel = "REF",
        description = "Its branch, tag or commit; the server's default when absent.")
    private @Nullable String ref;

    @Option(
        names = "--credential",
        paramLabel = "NAME",
        description = "Secret of the operator to fetch it with.")
    private @Nullable String credential;

    @Option(
        names = "--depth",
        paramLabel = "N",
        description = "Commits of its history; 1 when absent, 0 for all.")
    private @Nullable Integer depth;

    @Option(
        names = "--sparse",
        paramLabel = "PATH",
        description = "Only this folder or file of it; may be repeated.")
    private List<String> sparse = new ArrayList<>();

    @Option(names = "--submodules", description = "Its submodules too.")
    private boolean submodules;

    @Option(names = "--lfs", description = "The contents that Git LFS keeps too.")
    private boolean lfs;

    NewRun.Repository repository() {
      return new NewRun.Repository(
          url,
          ref,
          credential,
          depth,
          sparse,
          submodules ? Boolean.TRUE : null,
          lfs ? Boolean.TRUE : null);
    }
  }

  /// How many options say where the files come from.
  int sources() {
    return (git == null ? 0 : 1) + (run == null ? 0 : 1) + (empty ? 1 : 0);
  }

  /// The member of the request; null if no option asks for one.
  ///
  /// @param upload the files it begins with, if they were uploaded
  /// @param session whether the run continues a session, whose files it begins with otherwise
  NewRun.@Nullable Workspace workspace(NewRun.@Nullable Uploaded upload, boolean session) {
    boolean wanted =
        git != null
            || upload != null
            || run != null
            || empty
            || publish.publish() != null
            || archive
            || setupTimeout != null
            || !setup.isEmpty()
            || !artifacts.isEmpty();
    if (!wanted) {
      return null;
    }
    boolean named = git != null || upload != null || run != null;
    boolean continued = session && !empty;
    return new NewRun.Workspace(
        git == null ? null : git.repository(),
        upload,
        (!named && continued) ? Boolean.TRUE : null,
        run,
        (!named && !continued) ? Boolean.TRUE : null,
        setup,
        setupTimeout,
        artifacts,
        archive ? Boolean.TRUE : null,
        publish.publish());
  }
}
