package dev.runyard.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// The options of `run` that name a folder of the person as what the run begins with.
final class RepoOption {
  @Option(
      names = "--repo",
      paramLabel = "DIR",
      description = "Folder whose files the run begins with.")
  private @Nullable Path folder;

  @Option(
      names = "--apply",
      description = "With --repo: watch, and apply what the run changed to the folder.")
  private boolean apply;

  boolean apply() {
    return apply;
  }

  /// The folder, if one is named.
  Optional<Path> folder(CommandLine command, WorkspaceOption others) {
    if (others.sources() + (folder == null ? 0 : 1) > 1) {
      throw new ParameterException(
          command, "a run begins with one of --repo, --git, --from-run and --empty");
    }
    if (apply && folder == null) {
      throw new ParameterException(command, "--apply needs --repo DIR");
    }
    return Optional.ofNullable(folder);
  }
}
