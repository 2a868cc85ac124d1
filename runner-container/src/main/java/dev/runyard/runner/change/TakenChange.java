package dev.runyard.runner.change;

import dev.runyard.core.change.ChangedFile;
import dev.runyard.core.change.LeftOut;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A change that was taken.
///
/// @param patch a file of the runner's own; empty if it would be too large
/// @param whole what earlier runs and this one have changed together; empty where there were none,
///   or where what they changed is not known
record TakenChange(
    List<ChangedFile> files,
    Optional<Path> patch,
    List<LeftOut> leftOut,
    Optional<WholeTaking> whole) {
  TakenChange {
    files = List.copyOf(files);
    leftOut = List.copyOf(leftOut);
  }
}
