package dev.runyard.runner.checkout;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.GitAddress;
import dev.runyard.core.request.WorkspaceSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The submodules of one tree, each checked out like a repository of its own into the folder that
/// the tree has for it. Git's own commands for submodules are not used: they obey what repositories
/// say. Used once.
final class Submodules {
  /// Most submodules of one checkout, those of submodules included.
  static final int MODULES_MAX = 128;

  /// Submodules inside of each other.
  static final int MODULE_DEPTH_MAX = 5;

  /// Most bytes of what a repository says about its submodules.
  static final int MODULES_BYTES_MAX = 256 * 1024;

  private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}\\x{fffd}]{1,255}");
  private static final Pattern SHOWN = Pattern.compile("[A-Za-z0-9._/-]{1,200}");

  private final GitCommands git;
  private final Checkout.Order order;
  private final GitAddress address;
  private final ServerAccess access;
  private final Allowance allowance;
  private final int level;
  private final List<Module> written = new ArrayList<>();
  private final List<RunEvent.RuntimeWarning> warnings = new ArrayList<>();

  /// A submodule that is there.
  ///
  /// @param url without a user's name
  record Module(String name, String url) {}

  /// @param git of the tree's repository
  /// @param order what was asked for of it
  /// @param address where it is
  /// @param level of submodules that it is inside of
  Submodules(
      GitCommands git,
      Checkout.Order order,
      GitAddress address,
      ServerAccess access,
      Allowance allowance,
      int level) {
    this.git = git;
    this.order = order;
    this.address = address;
    this.access = access;
    this.allowance = allowance;
    this.level = level;
  }

  List<Module> written() {
    return List.copyOf(written);
  }

  List<RunEvent.RuntimeWarning> warnings() {
    return List.copyOf(warnings);
  }

  /// Writes them.
  ///
  /// @param commits of theirs, by their paths as git quotes them
  /// @param commit whose tree has them
  Optional<Failure> write(Map<String, String> commits, String commit)
      throws IOException, InterruptedException {
    if (commits.isEmpty()) {
      return Optional.empty();
    }
    if (level >= MODULE_DEPTH_MAX || !allowance.takeModules(commits.size())) {
      return Optional.of(GitTrouble.TOO_LARGE);
    }
    PrintedText printed = new PrintedText(MODULES_BYTES_MAX);
    PreparationSteps.Ended ended =
        git.local(
            Duration.ofSeconds(Checkout.LOCAL_SECONDS_MAX),
            printed::line,
            printed::tooMuch,
            "config",
            "--no-includes",
            "--blob",
            commit + ":" + ModulesFile.NAME,
            "-z",
            "--list");
    if (ended instanceof PreparationSteps.Ended.Stopped) {
      return Optional.of(GitTrouble.STOPPED);
    }
    boolean read = ended instanceof PreparationSteps.Ended.Exited exited && exited.well();
    ModulesFile file = ModulesFile.of(read ? printed.toString() : "");
    for (Map.Entry<String, String> each : commits.entrySet()) {
      String path = QuotedPath.plain(each.getKey());
      Optional<Failure> failure = write(path, each.getValue(), file);
      if (failure.isPresent()) {
        return failure.map(why -> inside(path, why));
      }
    }
    return Optional.empty();
  }

  private Optional<Failure> write(String path, String commit, ModulesFile file)
      throws IOException, InterruptedException {
    Optional<ModulesFile.Entry> described = file.at(path);
    if (described.isEmpty() || !isName(described.get().name())) {
      return Optional.of(GitTrouble.refused("its .gitmodules does not say where it is"));
    }
    ModulesFile.Entry entry = described.get();
    if (entry.unwanted()) {
      return Optional.empty();
    }
    Optional<GitAddress> at = ModuleAddress.of(entry.url(), address, access.main());
    if (at.isEmpty()) {
      return Optional.of(GitTrouble.refused("its address is none that may be fetched from"));
    }
    Optional<Path> folder = place(path);
    if (folder.isEmpty()) {
      return Optional.of(GitTrouble.refused("its place is no empty folder"));
    }
    GitAddress found = at.get();
    WorkspaceSource.Git asked = order.source();
    Checkout.Result result =
        new Checkout(
                git.within("module-" + written.size()),
                new Checkout.Order(
                    new WorkspaceSource.Git(
                        found.url(),
                        commit,
                        asked.depth(),
                        List.of(),
                        true,
                        asked.lfs(),
                        asked.credential()),
                    null,
                    order.secret(),
                    folder.get()),
                found,
                access,
                allowance,
                level + 1)
            .write();
    return switch (result) {
      case Checkout.Result.Refused(Failure failure) -> Optional.of(failure);
      case Checkout.Result.Done done -> {
        written.add(new Module(entry.name(), found.bare()));
        warnings.addAll(done.warnings());
        yield Optional.empty();
      }
    };
  }

  /// The folder that git has made for it, if it is one and reached without links.
  private Optional<Path> place(String path) throws IOException {
    Path root = order.workspace().toRealPath();
    Path folder = root.resolve(path);
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
        || folder.equals(root)
        || !folder.toRealPath().equals(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty() ? Optional.of(folder) : Optional.empty();
    }
  }

  /// A name is written into the agent's configuration of git, which may make a path of it.
  private static boolean isName(String name) {
    return NAME.matcher(name).matches()
        && !name.startsWith("-")
        && Stream.of(name.split("[/\\\\]", -1)).noneMatch(".."::equals);
  }

  private static Failure inside(String path, Failure why) {
    String shown = SHOWN.matcher(path).matches() ? " " + path : "";
    return new Failure(
        why.code(),
        why.category(),
        "Its submodule%s cannot be had. %s".formatted(shown, why.message()));
  }
}
