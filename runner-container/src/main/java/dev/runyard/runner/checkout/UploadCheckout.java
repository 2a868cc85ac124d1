package dev.runyard.runner.checkout;

import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.upload.UnpackBounds;
import dev.runyard.runner.upload.UploadedArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Unpacks an upload and makes one commit of its files, byte for byte, in a git directory of the
/// runner's own. The same upload is the same commit, so that every attempt begins with it. One at a
/// time.
public final class UploadCheckout {
  private static final Duration SHORT = Duration.ofSeconds(Checkout.LOCAL_SECONDS_MAX);
  private static final String BRANCH = "refs/heads/main";

  private static final Failure NO_COMMIT =
      new Failure(
          Failure.UPLOAD_UNAVAILABLE,
          Category.CAPACITY,
          "The runner could not make a commit of the upload's files. Submit again.");

  private final GitCommands git;
  private final Order order;
  private final PreparationSteps steps;
  private final List<String> printed = new ArrayList<>();

  /// What is to be unpacked.
  ///
  /// @param id of the upload
  /// @param workspace an empty folder, or the files as an earlier attempt left them
  public record Order(String id, UploadedArchive archive, Path workspace) {}

  UploadCheckout(GitCommands git, Order order, PreparationSteps steps) {
    this.git = git;
    this.order = order;
    this.steps = steps;
  }

  /// Writes the files, and a repository for the agent.
  Checkout.Result write() throws IOException, InterruptedException {
    Checkout.Result result = unpacked(order.workspace());
    if (result instanceof Checkout.Result.Done done) {
      new AgentRepository(git.directory(), order.workspace()).write(head(done.base().commit()));
    }
    return result;
  }

  /// Only makes the commit, of files beside the git directory.
  Checkout.Result again() throws IOException, InterruptedException {
    return unpacked(Files.createDirectory(git.folder().resolve("files")));
  }

  private Checkout.Result unpacked(Path folder) throws IOException, InterruptedException {
    return switch (order.archive().unpack(folder, UnpackBounds.OF_UPLOADS, steps::isStopped)) {
      case UploadedArchive.Result.Refused(Failure failure) -> new Checkout.Result.Refused(failure);
      case UploadedArchive.Result.Unpacked(long files, long bytes) -> {
        Optional<String> commit = committed(folder);
        yield commit.isEmpty()
            ? new Checkout.Result.Refused(NO_COMMIT)
            : new Checkout.Result.Done(
                new Origin.Fetched(git.directory(), head(commit.get()), Optional.empty())
                    .at(order.workspace()),
                new WorkspaceNotice.ContextResolved(
                    "upload", null, order.id(), commit.get(), files, bytes, 0),
                List.of());
      }
    };
  }

  private static AgentRepository.Head head(String commit) {
    return new AgentRepository.Head("", Optional.of(BRANCH), commit, commit, List.of(), List.of());
  }

  /// Nothing in the files decides what git does: they are read as they are.
  private Optional<String> committed(Path folder) throws IOException, InterruptedException {
    if (EmptyTree.init(git).isPresent()) {
      return Optional.empty();
    }
    Path info = Files.createDirectories(git.directory().resolve("info"));
    Files.writeString(
        info.resolve("attributes"), "* -text -ident -filter -working-tree-encoding\n");
    if (!local("-c", "core.looseCompression=1", "--work-tree=" + folder, "add", "-A", "-f")
        || !local("write-tree")) {
      return Optional.empty();
    }
    Path text = git.folder().resolve("commit");
    Files.writeString(text, commit(printed.getFirst()));
    if (!local("hash-object", "-t", "commit", "-w", text.toString())) {
      return Optional.empty();
    }
    String commit = printed.getFirst();
    return local("update-ref", BRANCH, commit) && local("repack", "-a", "-d", "-q")
        ? Optional.of(commit)
        : Optional.empty();
  }

  /// Without a time of its own.
  private static String commit(String tree) {
    return """
    tree %s
    author Runyard <runyard@localhost> 0 +0000
    committer Runyard <runyard@localhost> 0 +0000

    Uploaded files
    """
        .formatted(tree);
  }

  private boolean local(String... args) throws InterruptedException {
    printed.clear();
    PreparationSteps.Ended ended = git.local(SHORT, this::print, () -> false, args);
    return ended instanceof PreparationSteps.Ended.Exited exited && exited.well();
  }

  private synchronized void print(String line) {
    if (printed.isEmpty()) {
      printed.add(line);
    }
  }
}
