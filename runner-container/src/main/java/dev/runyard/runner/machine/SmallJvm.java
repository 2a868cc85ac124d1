package dev.runyard.runner.machine;

import java.nio.file.Path;
import java.util.List;

/// A JVM that does one small thing with the runner's own classes and ends, so that nothing in it is
/// worth much time to start.
public final class SmallJvm {
  private SmallJvm() {}

  /// The command that runs a class of the runner; its arguments are to be added.
  public static List<String> command(Class<?> main) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        main.getName());
  }
}
