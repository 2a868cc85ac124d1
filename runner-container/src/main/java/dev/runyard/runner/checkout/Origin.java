package dev.runyard.runner.checkout;

import java.nio.file.Path;
import java.util.Optional;

/// What an agent's files were before it began, where the agent cannot change it.
///
/// @param gitDirectory of the runner's own, without work tree; removed after the attempt
/// @param commit the id of a commit in it, or of a tree
/// @param workspace the files as the agent works on them
/// @param fetched what they were checked out of, by this run or by an earlier one
/// @param asTheyWere true where the commit has the bytes of the files, whatever their attributes
///   say of line ends
public record Origin(
    Path gitDirectory,
    String commit,
    Path workspace,
    Optional<Fetched> fetched,
    boolean asTheyWere) {
  /// Of a commit in which files may be stored in another way than they are written.
  public Origin(Path gitDirectory, String commit, Path workspace) {
    this(gitDirectory, commit, workspace, Optional.empty(), false);
  }

  /// A repository as it was fetched, or made of an upload.
  ///
  /// @param gitDirectory of the runner's own
  /// @param head what the agent's repository has checked out
  public record Fetched(Path gitDirectory, AgentRepository.Head head) {
    /// What a workspace in another place begins as.
    public Origin at(Path files) {
      return new Origin(
          gitDirectory, head.commit(), files, Optional.of(this), head.url().isEmpty());
    }
  }

  /// The same for files that are elsewhere.
  public Origin at(Path files) {
    return new Origin(gitDirectory, commit, files, fetched, asTheyWere);
  }
}
