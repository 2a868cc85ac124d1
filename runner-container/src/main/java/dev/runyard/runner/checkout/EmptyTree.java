package dev.runyard.runner.checkout;

import dev.runyard.core.problem.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A git directory of the runner's own, and in it the empty tree: what files were that came from
/// nowhere.
final class EmptyTree {
  private static final Duration SHORT = Duration.ofSeconds(Checkout.LOCAL_SECONDS_MAX);

  private EmptyTree() {}

  /// Makes the directory.
  static Optional<Failure> init(GitCommands git) throws IOException, InterruptedException {
    return done(git.local(SHORT, _ -> {}, () -> false, "init", "-q", "--bare", "--template="));
  }

  /// The id of the empty tree, now that there is one; empty if it cannot be made.
  static Optional<String> tree(GitCommands git) throws InterruptedException {
    List<String> printed = new ArrayList<>();
    PreparationSteps.Ended ended =
        git.local(SHORT, printed::add, () -> false, "hash-object", "-w", "-t", "tree", "--stdin");
    return done(ended).isEmpty() && printed.size() == 1
        ? Optional.of(printed.getFirst())
        : Optional.empty();
  }

  private static Optional<Failure> done(PreparationSteps.Ended ended) {
    return switch (ended) {
      case PreparationSteps.Ended.Exited exited when exited.well() -> Optional.empty();
      case PreparationSteps.Ended.NotStarted _ -> Optional.of(GitTrouble.NO_PROGRAM);
      case PreparationSteps.Ended.Stopped _ -> Optional.of(GitTrouble.STOPPED);
      case PreparationSteps.Ended.Exited _,
          PreparationSteps.Ended.TimeOver _,
          PreparationSteps.Ended.TooMuch _,
          PreparationSteps.Ended.Limited _ ->
          Optional.of(GitTrouble.NOT_WRITTEN);
    };
  }
}
