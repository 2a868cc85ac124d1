package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Tries what a level needs, by doing it.
final class Probe {
  static final int WAIT_SECONDS_MAX = 60;

  private static final Path MAX_USER_NAMESPACES = Path.of("/proc/sys/user/max_user_namespaces");

  /// Names the first of its arguments that cannot be entered, read or run.
  private static final String REACHES =
      "for file; do [ -x \"$file\" ] || { printf %s \"$file\"; exit 1; }; done";

  private Probe() {}

  /// The result of a small program.
  ///
  /// @param said the first line of what it printed
  record Tried(boolean worked, String said) {}

  /// Runs a program to its end; one that takes too long has not worked.
  static Tried run(List<String> argv) {
    ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
    builder.redirectInput(Path.of("/dev/null").toFile());
    try {
      Process process = builder.start();
      boolean ended = process.waitFor(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly();
        return new Tried(false, "it does not end");
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Tried(
          process.exitValue() == 0, said.lines().findFirst().orElse("exit " + process.exitValue()));
    } catch (IOException e) {
      return new Tried(false, String.valueOf(e.getMessage()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted");
    }
  }

  /// What keeps attempts from having users of their own; empty where nothing does.
  ///
  /// @param needed what such a user must be able to enter or run
  static Optional<String> againstUsers(Optional<UserCommands> commands, List<Path> needed) {
    if (commands.isEmpty()) {
      return Optional.of("prlimit and setpriv of util-linux, or env, are missing");
    }
    if (UserProcesses.owner(Path.of("/proc/self")) != 0 || !AgentUser.canBecome()) {
      return Optional.of("the runner is not root, so it may not become another user");
    }
    List<String> as =
        with(commands.get().in(Path.of("/"), AgentUser.TRIED), commands.get().late().arguments(1));
    Tried become = run(with(as, List.of("/bin/sh", "-c", ":")));
    if (!become.worked()) {
      return Optional.of("a process cannot be started as another user: " + become.said());
    }
    List<String> reach = new ArrayList<>(List.of("/bin/sh", "-c", REACHES, "reaches"));
    needed.stream().filter(Files::exists).map(Path::toString).forEach(reach::add);
    Tried reached = run(with(as, reach));
    return reached.worked()
        ? Optional.empty()
        : Optional.of("users other than the runner's cannot reach " + reached.said());
  }

  /// True when another user's processes may make user namespaces, which agents' own sandboxes need.
  static boolean nests(UserCommands commands) {
    try {
      if (Files.readString(MAX_USER_NAMESPACES).strip().equals("0")) {
        return false;
      }
    } catch (IOException _) {
      return false;
    }
    return UserCommands.program("unshare")
        .map(
            unshare ->
                run(with(
                        commands.as(AgentUser.TRIED),
                        List.of(unshare.toString(), "--user", "--net", "/bin/sh", "-c", ":")))
                    .worked())
        .orElse(false);
  }

  private static List<String> with(List<String> first, List<String> then) {
    List<String> argv = new ArrayList<>(first);
    argv.addAll(then);
    return argv;
  }
}
