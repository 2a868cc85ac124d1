package dev.runyard.cli.folder;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.runner.upload.UnpackBounds;
import dev.runyard.runner.workspace.GitNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Which files of a folder a run begins with: in a repository those that git tracks or would track,
/// as they are now; elsewhere all.
///
/// @param paths below the folder, with slashes; of empty folders with one at the end
/// @param leftOut what is not among them, with the reason
/// @param repository whether git was asked
public record FolderFiles(
    SortedSet<String> paths, SortedMap<String, String> leftOut, boolean repository) {

  /// Says in one sentence why a folder cannot be packed.
  public static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(String message) {
      super(message);
    }
  }

  /// Looks at a folder.
  public static FolderFiles of(Path folder) throws IOException, InterruptedException, Unusable {
    if (!Files.isDirectory(folder)) {
      throw new Unusable("there is no folder " + folder);
    }
    FolderFiles files = new FolderFiles(new TreeSet<>(), new TreeMap<>(), isInRepository(folder));
    if (files.repository) {
      files.listed(folder);
    } else {
      files.walked(folder);
    }
    if (files.paths.isEmpty()) {
      throw new Unusable(
          files.repository ? "git tracks no file in " + folder : folder + " is empty");
    }
    return files;
  }

  /// A repository that git refuses, such as another person's, is not taken for a folder without
  /// one: all that it ignores would go to the run.
  private static boolean isInRepository(Path folder)
      throws IOException, InterruptedException, Unusable {
    String why;
    try {
      PersonsGit.Ran ran = new PersonsGit(folder).run("rev-parse", "--is-inside-work-tree");
      if (ran.well()) {
        return true;
      }
      if (ran.said().contains("not a git repository")) {
        return false;
      }
      why = "git does not say which files of " + folder + " are tracked: " + ran.said();
    } catch (IOException _) {
      why = "git is needed to see which files of " + folder + " are tracked";
    }
    for (Path up = folder.toRealPath(); up != null; up = up.getParent()) {
      if (Files.exists(up.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
        throw new Unusable(why);
      }
    }
    return false;
  }

  private void listed(Path folder) throws IOException, InterruptedException, Unusable {
    PersonsGit.Ran ran =
        new PersonsGit(folder).run("ls-files", "-z", "--cached", "--others", "--exclude-standard");
    if (!ran.well()) {
      throw new Unusable("git does not list the files of " + folder + ": " + ran.said());
    }
    byte[] printed = ran.printed();
    int from = 0;
    for (int at = 0; at < printed.length; at++) {
      if (printed[at] == 0) {
        add(folder, printed, from, at);
        from = at + 1;
      }
    }
  }

  private void add(Path folder, byte[] printed, int from, int to) throws IOException, Unusable {
    String path;
    try {
      path =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(printed, from, to - from))
              .toString();
    } catch (CharacterCodingException _) {
      leftOut.put(
          new String(printed, from, to - from, StandardCharsets.UTF_8), "its name is no text");
      return;
    }
    Path file = folder.resolve(path);
    if (path.endsWith("/") || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      leftOut.put(path, "a repository of its own");
    } else if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !isBehindALink(folder, file)) {
      add(path, Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    }
  }

  /// Git still tracks the files of a folder in whose place a link is now.
  private static boolean isBehindALink(Path folder, Path file) {
    for (Path up = file.getParent(); up != null && !up.equals(folder); up = up.getParent()) {
      if (Files.isSymbolicLink(up)) {
        return true;
      }
    }
    return false;
  }

  private void walked(Path folder) throws IOException, Unusable {
    AtomicReference<@Nullable Unusable> tooMany = new AtomicReference<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path entry, BasicFileAttributes attributes) {
            if (entry.equals(folder)) {
              return FileVisitResult.CONTINUE;
            }
            if (GitNames.isRepository(Objects.toString(entry.getFileName()))) {
              leftOut.put(folder.relativize(entry).toString(), "a git directory");
              return FileVisitResult.SKIP_SUBTREE;
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path entry, BasicFileAttributes attributes) {
            try {
              add(folder.relativize(entry).toString(), attributes);
              return FileVisitResult.CONTINUE;
            } catch (Unusable e) {
              tooMany.set(e);
              return FileVisitResult.TERMINATE;
            }
          }

          @Override
          public FileVisitResult visitFileFailed(Path entry, IOException failure) {
            leftOut.put(folder.relativize(entry).toString(), "it cannot be read");
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path entry, @Nullable IOException failure)
              throws IOException {
            if (!entry.equals(folder)) {
              try (var inside = Files.newDirectoryStream(entry)) {
                if (!inside.iterator().hasNext()) {
                  paths.add(folder.relativize(entry) + "/");
                }
              }
            }
            return FileVisitResult.CONTINUE;
          }
        });
    Unusable why = tooMany.get();
    if (why != null) {
      throw why;
    }
  }

  private void add(String path, BasicFileAttributes attributes) throws Unusable {
    if (!GitNames.allowed(path)) {
      leftOut.put(path, "git keeps its name for itself");
    } else if (attributes.isOther()) {
      leftOut.put(path, "it is no file");
    } else if (isTooLong(path)) {
      leftOut.put(path, "its path is too long");
    } else {
      paths.add(path);
    }
    if (paths.size() > ChangeBounds.ENTRIES_MAX) {
      throw tooMany();
    }
  }

  /// How many there are with the folders that paths only name, as whoever unpacks them counts.
  int entries() {
    Set<String> folders = new HashSet<>();
    int files = 0;
    for (String path : paths) {
      files += path.endsWith("/") ? 0 : 1;
      int at = path.lastIndexOf('/');
      while (at > 0 && folders.add(path.substring(0, at))) {
        at = path.lastIndexOf('/', at - 1);
      }
    }
    return files + folders.size();
  }

  private static boolean isTooLong(String path) {
    return path.getBytes(StandardCharsets.UTF_8).length > UnpackBounds.ENTRY_PATH_BYTES_MAX;
  }

  static Unusable tooMany() {
    return new Unusable(
        "there are more than %d files and folders".formatted(ChangeBounds.ENTRIES_MAX));
  }
}
