package dev.runyard.runner.change;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.runner.checkout.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// What files are before an agent begins that were neither fetched nor new, so that afterwards it
/// can be told what the agent changed, and only that.
public final class Beginnings {
  private Beginnings() {}

  /// Makes a tree of the files in a git directory of the runner's own.
  ///
  /// @param known what they were once; its rules say which files are ignored
  /// @param sparse the only folders of it; empty for all
  /// @param folder of the runner's own, for the git directory
  public static Origin of(Origin known, List<String> sparse, Path folder, InstantSource clock)
      throws IOException, TakingFailed {
    Path own = Files.createTempDirectory(Files.createDirectories(folder), "base-");
    Duration time = Duration.ofSeconds(ChangeBounds.TAKING_SECONDS_MAX);
    return ChangeTaking.now(known, sparse, own, Deadline.in(time, clock));
  }
}
