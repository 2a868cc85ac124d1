package dev.runyard.runner.checkout;

import java.nio.file.Path;
import java.util.Optional;

/// What an agent's files were before it began, where the agent cannot change it.
///
/// @param gitDirectory of the runner's own, without work tree; removed after the attempt
/// @param commit the id of a commit in it, or of a tree
/// @param workspace the files as the agent works on them
/// @param fetched what they were checked out of, by this run or by an earlier one
public record Origin(Path gitDirectory, String commit, Path workspace, Optional<Fetched> fetched) {
  /// Of files that were checked out of nothing.
  public Origin(Path gitDirectory, String commit, Path workspace) {
    this(gitDirectory, commit, workspace, Optional.empty());
  }

  /// A repository as it was fetched.
  ///
  /// @param gitDirectory of the runner's own
  /// @param head what the agent's repository has checked out
  public record Fetched(Path gitDirectory, AgentRepository.Head head) {}

  /// The same for files that are elsewhere.
  public Origin at(Path files) {
    return new Origin(gitDirectory, commit, files, fetched);
  }
}
