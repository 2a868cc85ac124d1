package dev.runyard.runner.checkout;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What an agent's files were before it began, where the agent cannot change it.
///
/// @param gitDirectory of the runner's own, without work tree; removed after the attempt
/// @param commit the id of a commit in it, or of a tree
/// @param workspace the files as the agent works on them
/// @param fetched what they were checked out of, by this run or by an earlier one
/// @param asTheyWere true where the commit has the bytes of the files, whatever their attributes
///   say of line ends
/// @param earlier what earlier runs have made of it, where one has left these files
public record Origin(
    Path gitDirectory,
    String commit,
    Path workspace,
    Optional<Fetched> fetched,
    boolean asTheyWere,
    Optional<Earlier> earlier) {
  /// Of a commit in which files may be stored in another way than they are written.
  public Origin(Path gitDirectory, String commit, Path workspace) {
    this(gitDirectory, commit, workspace, Optional.empty(), false, Optional.empty());
  }

  /// A repository as it was fetched, or made of an upload.
  ///
  /// @param gitDirectory of the runner's own
  /// @param head what the agent's repository has checked out
  /// @param credential the name of the secret that it was fetched with
  public record Fetched(Path gitDirectory, AgentRepository.Head head, Optional<String> credential) {
    /// What a workspace in another place begins as.
    public Origin at(Path files) {
      return new Origin(
          gitDirectory,
          head.commit(),
          files,
          Optional.of(this),
          head.url().isEmpty(),
          Optional.empty());
    }
  }

  /// What runs have made of the files before.
  ///
  /// @param rules a folder of the runner's own that has the `.gitignore` files among them
  /// @param start the id of what they all began as: the commit that was fetched, or no files
  /// @param told the id of a tree: that with the changes that the runs told; empty if one of these
  ///   is not kept
  /// @param runs the oldest first
  public record Earlier(Path rules, String start, Optional<String> told, List<String> runs) {
    public Earlier {
      runs = List.copyOf(runs);
    }
  }

  /// The same for files that are elsewhere.
  public Origin at(Path files) {
    return new Origin(gitDirectory, commit, files, fetched, asTheyWere, earlier);
  }

  /// Another tree of the same files.
  ///
  /// @param git a git directory that has it
  public Origin as(Path git, String tree, Optional<Earlier> runs) {
    return new Origin(git, tree, workspace, fetched, asTheyWere, runs);
  }
}
