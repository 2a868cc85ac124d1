package dev.runyard.runner.checkout;

import java.nio.file.Path;

/// What an agent's files were before it began, where the agent cannot change it.
///
/// @param gitDirectory of the runner's own, without work tree; removed after the attempt
/// @param commit the id of a commit in it, or of an empty tree
/// @param workspace the files as the agent works on them
/// @param asTheyWere true where the commit has the bytes of the files, whatever their attributes
///   say of line ends
public record Origin(Path gitDirectory, String commit, Path workspace, boolean asTheyWere) {
  /// Of a commit in which files may be stored in another way than they are written.
  public Origin(Path gitDirectory, String commit, Path workspace) {
    this(gitDirectory, commit, workspace, false);
  }
}
