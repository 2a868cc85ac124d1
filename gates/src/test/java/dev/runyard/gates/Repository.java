package dev.runyard.gates;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// The project's own files: all that lies in its folder, without what is built or installed there.
public final class Repository {
  public static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home"), "runyard.home"));

  static final List<String> MODULES =
      List.of(
          "shared/needs",
          "shared/core",
          "shared/agent",
          "shared/testkit",
          "shared/aws",
          "shared/embedded",
          "functions",
          "runner-container",
          "local",
          "cli",
          "demo-agents",
          "system-tests",
          "gates");

  private static final Set<String> NOT_OURS =
      Set.of(".git", "target", "node_modules", ".runyard", ".idea", ".vscode", ".aws-sam");

  private Repository() {}

  public static List<Path> files() {
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          HOME,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              return NOT_OURS.contains(folder.getFileName().toString())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (attributes.isRegularFile() && !NOT_OURS.contains(file.getFileName().toString())) {
                files.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files.stream().sorted().toList();
  }

  public static List<Path> sources() {
    return files().stream().filter(file -> file.toString().endsWith(".java")).toList();
  }

  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }

  public static String name(Path file) {
    return HOME.relativize(file).toString();
  }
}
