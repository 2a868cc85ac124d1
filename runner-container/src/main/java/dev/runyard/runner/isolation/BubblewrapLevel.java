package dev.runyard.runner.isolation;

import dev.runyard.core.event.SandboxApplied;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// All that the attempts of a runner have in common where bubblewrap encloses each.
///
/// @param reason why this level is in force
/// @param program of bubblewrap
/// @param hiding what no attempt sees, the folder of all attempts but for its own part among it
/// @param programs that agents are started from, seen although their folder may be hidden
/// @param prlimit sets the limits that count for each process; empty where it is missing
record BubblewrapLevel(
    String reason,
    Path program,
    Hiding hiding,
    List<Path> programs,
    Optional<Path> prlimit,
    AttemptLimits bounds,
    LimitWatch watch) {
  static final LateVariables LATE = new LateVariables(Path.of("/usr/bin/env"));

  private static final String NAME = "bwrap";

  BubblewrapLevel {
    programs = List.copyOf(programs);
  }

  static Optional<Path> find(String path) {
    return Stream.of(path.split(File.pathSeparator))
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> Path.of(folder, NAME))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// What keeps it from working here; empty where nothing does.
  Optional<String> against() {
    List<String> argv = new ArrayList<>(argv());
    argv.add("--");
    argv.addAll(LATE.arguments(1));
    argv.addAll(List.of("/bin/sh", "-c", ":"));
    Probe.Tried tried = Probe.run(argv);
    return tried.worked() ? Optional.empty() : Optional.of("bubblewrap fails: " + tried.said());
  }

  /// Bubblewrap with all that is the same for every attempt.
  List<String> argv() {
    List<String> argv = new ArrayList<>(namespaces());
    argv.addAll(hiding.options());
    programs.stream()
        .filter(hiding::hides)
        .map(Path::toString)
        .forEach(shown -> argv.addAll(List.of("--ro-bind", shown, shown)));
    return argv;
  }

  private List<String> namespaces() {
    return List.of(
        program.toString(),
        "--die-with-parent",
        "--unshare-user",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-cgroup-try",
        "--disable-userns",
        "--cap-drop",
        "ALL",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc");
  }

  List<String> limits() {
    return prlimit
        .map(found -> UserCommands.bounded(found, bounds, UserCommands.HardLimits.ofThisProcess()))
        .orElse(List.of());
  }

  SandboxApplied told() {
    Map<String, Long> held = new LinkedHashMap<>(bounds.byName());
    held.keySet().removeAll(List.of("processes", "memory_bytes"));
    if (prlimit.isEmpty()) {
      held.keySet().removeAll(List.of("data_bytes", "open_files", "file_bytes"));
    }
    return new SandboxApplied(
        IsolationLevel.BUBBLEWRAP.wire(),
        reason,
        null,
        held,
        "own_folders",
        "open",
        NotEnforced.BY_BUBBLEWRAP);
  }
}
