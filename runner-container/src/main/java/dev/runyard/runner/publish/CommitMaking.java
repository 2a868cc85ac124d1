package dev.runyard.runner.publish;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.request.PublishRequest;
import dev.runyard.runner.checkout.GitCommands;
import dev.runyard.runner.checkout.PreparationSteps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes the commit of a run's change: the kept patch on the commit that its workspace began as, in
/// a git directory of the runner's own. It has no date but the run's, so that it has the same id
/// whenever and wherever it is made.
///
/// @param run whose change it is
record CommitMaking(GitCommands git, RunKey run) {
  /// The trailer of each commit.
  static final String TRAILER = "Runyard-Run: ";

  private static final PublishRequest.Author RUNYARD =
      new PublishRequest.Author("Runyard", "runyard@localhost.invalid");
  private static final Duration LONG = Duration.ofMinutes(5);

  /// The commit's id; empty if the patch does not apply.
  Optional<String> make(String base, byte[] patch, PublishRequest request)
      throws IOException, InterruptedException {
    Path change = Files.write(git.folder().resolve("publish.patch"), patch);
    Path message =
        Files.write(
            git.folder().resolve("publish.message"),
            (request.messageFor(run).replace("\r\n", "\n").strip()
                    + "\n\n"
                    + TRAILER
                    + run.runId()
                    + "\n")
                .getBytes(StandardCharsets.UTF_8));
    Map<String, String> none = Map.of();
    if (line(none, "read-tree", base).isEmpty()
        || line(none, "apply", "--cached", "--binary", "--whitespace=nowarn", change.toString())
            .isEmpty()) {
      return Optional.empty();
    }
    Optional<String> tree = line(none, "write-tree");
    return tree.isEmpty()
        ? Optional.empty()
        : line(
            identities(request), "commit-tree", "-p", base, "-F", message.toString(), tree.get());
  }

  private Map<String, String> identities(PublishRequest request) {
    PublishRequest.Author author = request.author() == null ? RUNYARD : request.author();
    String at = "@" + run.madeAt().getEpochSecond() + " +0000";
    return Map.of(
        "GIT_AUTHOR_NAME", author.name(),
        "GIT_AUTHOR_EMAIL", author.email(),
        "GIT_AUTHOR_DATE", at,
        "GIT_COMMITTER_NAME", RUNYARD.name(),
        "GIT_COMMITTER_EMAIL", RUNYARD.email(),
        "GIT_COMMITTER_DATE", at);
  }

  /// The last line that git prints, or nothing said; empty if it fails.
  private Optional<String> line(Map<String, String> own, String... args)
      throws InterruptedException {
    List<String> printed = new ArrayList<>(List.of(""));
    PreparationSteps.Ended ended = git.local(own, LONG, line -> printed.set(0, line), args);
    return ended instanceof PreparationSteps.Ended.Exited exited && exited.well()
        ? Optional.of(printed.getFirst())
        : Optional.empty();
  }
}
