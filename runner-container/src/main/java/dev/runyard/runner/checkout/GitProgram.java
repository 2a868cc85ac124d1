package dev.runyard.runner.checkout;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The git that the runner uses.
public final class GitProgram {
  public static final String NAME = "git";

  /// Older ones check less of what they check out.
  public static final String VERSION_MIN = "2.39";

  private static final Pattern VERSION = Pattern.compile("git version ([0-9]{1,4})\\.([0-9]{1,4})");

  private GitProgram() {}

  /// Finds it in the folders of a search path that are absolute.
  public static Optional<Path> find(String path) {
    return find(path, NAME);
  }

  static Optional<Path> find(String path, String name) {
    return Stream.of(path.split(File.pathSeparator))
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> Path.of(folder, name))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  /// True for what a git prints as its version that is new enough.
  public static boolean isNewEnough(String printed) {
    Matcher version = VERSION.matcher(printed);
    Matcher least = VERSION.matcher(NAME + " version " + VERSION_MIN);
    return version.lookingAt() && least.matches() && number(version) >= number(least);
  }

  private static int number(Matcher version) {
    return Integer.parseInt(version.group(1)) * 10_000 + Integer.parseInt(version.group(2));
  }
}
