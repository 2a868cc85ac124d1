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
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// The project's files by their paths below its folder, without what is built or installed there.
/// In a copy one file's text may be another.
public final class Repository {
  public static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home"), "runyard.home"));

  private static final Set<String> NOT_OURS =
      Set.of(".git", "target", "node_modules", ".runyard", ".idea", ".vscode", ".aws-sam");

  /// The files as they are.
  public static final Repository OURS = new Repository(onDisk(), Map.of());

  /// The texts that were read: each gate asks for them again, and for each copy.
  private static final Map<String, String> READ = new ConcurrentHashMap<>();

  private final List<String> files;
  private final Map<String, String> changed;

  private Repository(List<String> files, Map<String, String> changed) {
    this.files = files;
    this.changed = changed;
  }

  /// A copy in which `by` stands for the first `replaced` of a file, or for all of it when that is
  /// empty.
  Repository with(String file, String replaced, String by) {
    String before = replaced.isEmpty() ? "" : text(file);
    int at = before.indexOf(replaced);
    if (at < 0) {
      throw new AssertionError(file + " has no such text: " + replaced);
    }
    String text = before.substring(0, at) + by + before.substring(at + replaced.length());
    Stream<String> others = files.stream().filter(name -> !name.equals(file));
    Stream<String> all = text.isEmpty() ? others : Stream.concat(others, Stream.of(file));
    return new Repository(all.sorted().toList(), Map.of(file, text));
  }

  /// Paths, sorted.
  public List<String> files() {
    return files;
  }

  /// Those that end so.
  public List<String> files(String ending) {
    return files.stream().filter(file -> file.endsWith(ending)).toList();
  }

  /// Whether there is such a file or folder.
  public boolean has(String path) {
    String text = changed.get(path);
    return text == null ? Files.exists(HOME.resolve(path)) : !text.isEmpty();
  }

  public String text(String file) {
    String text = changed.get(file);
    return text == null ? READ.computeIfAbsent(file, Repository::read) : text;
  }

  private static String read(String file) {
    try {
      return Files.readString(HOME.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  /// The changed file of a copy with its text; empty for the files as they are.
  Map<String, String> changed() {
    return changed;
  }

  private static List<String> onDisk() {
    List<String> files = new ArrayList<>();
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
                files.add(HOME.relativize(file).toString());
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files.stream().sorted().toList();
  }
}
