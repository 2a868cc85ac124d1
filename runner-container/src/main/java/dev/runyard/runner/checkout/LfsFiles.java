package dev.runyard.runner.checkout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.GitAddress;
import dev.runyard.runner.process.Stdin;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The files of one tree that are kept by Git LFS: fetched by the runner itself from the
/// repository's own server, and written where the tree has their pointers. What the repository says
/// about servers is not read. Used once.
final class LfsFiles {
  /// Most different contents of one checkout.
  static final int LFS_OBJECTS_MAX = 10_000;

  /// Most paths that a warning names.
  static final int LFS_PATHS_SHOWN_MAX = 10;

  private static final Duration SHORT = Duration.ofSeconds(Checkout.LOCAL_SECONDS_MAX);
  private static final int NAMES_CHARS_MAX = 64 * 1024 * 1024;

  private final GitCommands git;
  private final Path workspace;
  private final GitAddress address;
  private final ServerAccess access;
  private final Allowance allowance;
  private final Map<LfsPointer, List<String>> wanted = new LinkedHashMap<>();
  private final List<String> left = new ArrayList<>();

  LfsFiles(
      GitCommands git,
      Path workspace,
      GitAddress address,
      ServerAccess access,
      Allowance allowance) {
    this.git = git;
    this.workspace = workspace;
    this.address = address;
    this.access = access;
    this.allowance = allowance;
  }

  /// Tells of the pointers that stay.
  List<RunEvent.RuntimeWarning> warnings() {
    if (left.isEmpty()) {
      return List.of();
    }
    List<String> shown = left.subList(0, Math.min(left.size(), LFS_PATHS_SHOWN_MAX));
    return List.of(
        new RunEvent.RuntimeWarning(
            "lfs_pointers_left",
            "%d files are still pointers of Git LFS, because the server does not have their content: %s"
                .formatted(left.size(), String.join(", ", shown))));
  }

  /// Writes them. The files of the tree are there already.
  Optional<Failure> write() throws IOException, InterruptedException {
    Optional<Failure> failure = find();
    if (failure.isPresent() || wanted.isEmpty()) {
      return failure;
    }
    for (Map.Entry<LfsPointer, List<String>> each : wanted.entrySet()) {
      if (!allowance.takeObject(each.getKey().size(), each.getValue().size())) {
        return Optional.of(GitTrouble.TOO_LARGE);
      }
    }
    Optional<JsonNode> login = Optional.empty();
    if (address.ssh()) {
      switch (new LfsLogin(git, address, access, allowance).ask()) {
        case LfsLogin.Said.Place(JsonNode endpoint) -> login = Optional.of(endpoint);
        case LfsLogin.Said.Not(Failure not) -> {
          return Optional.of(not);
        }
      }
    }
    return fetch(new LfsPlaces(address, access, login));
  }

  private Optional<Failure> fetch(LfsPlaces places) throws IOException, InterruptedException {
    Optional<Failure> failure;
    List<String> written = new ArrayList<>();
    try (LfsServer server = new LfsServer(places, allowance, git.steps())) {
      failure =
          server.fetch(
              List.copyOf(wanted.keySet()),
              git.folder().resolve("lfs"),
              new LfsServer.Taker() {
                @Override
                public void took(LfsPointer pointer, Path content) throws IOException {
                  for (String path : wanted.getOrDefault(pointer, List.of())) {
                    replace(path, content);
                    written.add(path);
                  }
                }

                @Override
                public void hasNot(LfsPointer pointer) {
                  left.addAll(wanted.getOrDefault(pointer, List.of()));
                }
              });
    }
    return failure.isPresent() ? failure : settle(written);
  }

  /// Finds the pointers among the files whose attributes say that Git LFS keeps them.
  private Optional<Failure> find() throws IOException, InterruptedException {
    Path attributes = git.directory().resolve("info").resolve(Checkout.ATTRIBUTES);
    PrintedText names = new PrintedText(NAMES_CHARS_MAX);
    Files.delete(attributes);
    PreparationSteps.Ended ended =
        git.local(
            SHORT,
            names::line,
            names::tooMuch,
            "--work-tree=" + workspace,
            "ls-files",
            "-z",
            "--",
            ":(attr:filter=lfs)");
    Files.writeString(attributes, Checkout.AS_COMMITTED);
    if (!(ended instanceof PreparationSteps.Ended.Exited exited && exited.well())) {
      return Optional.of(
          ended instanceof PreparationSteps.Ended.Stopped
              ? GitTrouble.STOPPED
              : GitTrouble.NOT_WRITTEN);
    }
    for (String name : names.toString().split("\0", -1)) {
      if (!name.isBlank()) {
        pointer(name).ifPresent(it -> wanted.computeIfAbsent(it, _ -> new ArrayList<>()).add(name));
      }
    }
    return Optional.empty();
  }

  private Optional<LfsPointer> pointer(String name) throws IOException {
    Optional<Path> file = file(name);
    if (file.isEmpty() || Files.size(file.get()) > LfsPointer.POINTER_BYTES_MAX) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(file.get(), LinkOption.NOFOLLOW_LINKS)) {
      return LfsPointer.read(
          new String(in.readNBytes(LfsPointer.POINTER_BYTES_MAX), StandardCharsets.ISO_8859_1));
    }
  }

  /// A file that git has written, if its name is text and it is there.
  private Optional<Path> file(String name) {
    try {
      Path file = workspace.resolve(name);
      return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          ? Optional.of(file)
          : Optional.empty();
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }

  /// Keeps the file and its mode.
  private void replace(String path, Path content) throws IOException {
    try (InputStream in = Files.newInputStream(content);
        OutputStream out =
            Files.newOutputStream(
                workspace.resolve(path),
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING,
                LinkOption.NOFOLLOW_LINKS)) {
      in.transferTo(out);
    }
  }

  /// The agent's git has no program of Git LFS to compare the files with their pointers, so that it
  /// is told not to.
  private Optional<Failure> settle(List<String> written) throws InterruptedException {
    if (written.isEmpty()) {
      return Optional.empty();
    }
    PreparationSteps.Ended ended =
        git.local(
            Stdin.text(String.join("\0", written) + "\0"),
            SHORT,
            _ -> {},
            () -> false,
            "--work-tree=" + workspace,
            "update-index",
            "--assume-unchanged",
            "-z",
            "--stdin");
    return ended instanceof PreparationSteps.Ended.Exited exited && exited.well()
        ? Optional.empty()
        : Optional.of(GitTrouble.NOT_WRITTEN);
  }
}
