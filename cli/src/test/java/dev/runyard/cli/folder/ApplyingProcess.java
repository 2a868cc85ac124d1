package dev.runyard.cli.folder;

import java.nio.file.Path;
import java.util.List;

/// A process that applies a patch, for a test that kills it.
final class ApplyingProcess {
  private ApplyingProcess() {}

  /// Applies it.
  ///
  /// @param arguments folder, patch, git
  public static void main(String[] arguments) throws Exception {
    new FolderPatch(Path.of(arguments[0]), _ -> List.of(), false, arguments[2])
        .apply(Path.of(arguments[1]));
  }
}
