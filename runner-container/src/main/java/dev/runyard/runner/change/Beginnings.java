package dev.runyard.runner.change;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.runner.checkout.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// What files are before an agent begins that were neither fetched nor new, so that afterwards it
/// can be told what the agent changed, and only that.
///
/// @param sparse the only folders of what was fetched; empty for all
/// @param secrets know which files are not as they were
/// @param folder of the runner's own, for the git directories
public record Beginnings(List<String> sparse, Secrets secrets, Path folder, InstantSource clock) {
  public Beginnings {
    sparse = List.copyOf(sparse);
  }

  /// What earlier runs have told.
  ///
  /// @param start the id of what the patch applies to
  /// @param patch all that they have changed together; empty if that is not kept
  /// @param runs the oldest first
  @SuppressWarnings("ArrayRecordComponent")
  public record Told(String start, Optional<byte[]> patch, List<String> runs) {
    /// Nothing that is kept.
    public static Told nothing(List<String> runs) {
      return new Told("", Optional.empty(), runs);
    }

    public Told {
      runs = List.copyOf(runs);
    }
  }

  /// Makes a tree of the files in a git directory of the runner's own.
  ///
  /// Tracked is what earlier runs have told, and what the files' own rules do not ignore: what a
  /// run has written into `.gitignore` holds for the runs after it, as it does for people.
  ///
  /// @param known what was fetched, or no files
  public Origin of(Origin known, Told told) throws IOException, TakingFailed {
    Deadline deadline = Deadline.in(Duration.ofSeconds(ChangeBounds.TAKING_SECONDS_MAX), clock);
    Origin tracked = tracked(known, told, deadline);
    return ChangeTaking.now(tracked, sparse, secrets, own("base-"), deadline);
  }

  private Path own(String name) throws IOException {
    return Files.createTempDirectory(Files.createDirectories(folder), name);
  }

  private Origin tracked(Origin known, Told told, Deadline deadline) throws IOException {
    Path rules = own("rules-");
    Origin.Earlier none = new Origin.Earlier(rules, known.commit(), Optional.empty(), told.runs());
    try {
      Optional<byte[]> patch = told.patch();
      if (patch.isEmpty() || !told.start().equals(known.commit())) {
        return known.as(known.gitDirectory(), known.commit(), Optional.of(none));
      }
      OwnGit git = OwnGit.make(own("told-"), known, deadline);
      String tree = WholeTaking.applied(git, known.commit(), patch.get());
      return known.as(
          git.joined(),
          tree,
          Optional.of(new Origin.Earlier(rules, known.commit(), Optional.of(tree), told.runs())));
    } catch (TakingFailed _) {
      return known.as(known.gitDirectory(), known.commit(), Optional.of(none));
    }
  }
}
