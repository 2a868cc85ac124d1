package dev.runyard.local.emulator;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// How a task's container becomes a process: a JVM with a class path and a main class.
public record TaskLaunch(Path java, String classPath, String mainClass, List<String> flags) {
  public static final String RUNNER_MAIN = "dev.runyard.runner.Main";
  private static final String MARK = "-Drunyard.task=";

  public TaskLaunch {
    flags = List.copyOf(flags);
  }

  /// The runner, on this JVM's Java and class path.
  public static TaskLaunch runner() {
    return new TaskLaunch(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        absolute(System.getProperty("java.class.path")),
        RUNNER_MAIN,
        List.of(
            "-XX:+DisableAttachMechanism",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
  }

  /// A task has a different working directory.
  static String absolute(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /// The mark comes first, so that the process is recognised even if the system shows only the
  /// start of a long command line.
  List<String> command(String taskId) {
    List<String> command = new ArrayList<>(List.of(java.toString(), MARK + taskId));
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, mainClass));
    return command;
  }

  static boolean isTask(ProcessHandle process, String taskId) {
    return process.info().commandLine().filter(line -> line.contains(MARK + taskId)).isPresent();
  }
}
