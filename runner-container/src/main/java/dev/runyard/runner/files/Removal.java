package dev.runyard.runner.files;

import dev.runyard.runner.machine.ProcessStart;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Removes directories with everything in them.
///
/// They are moved into a private one on the same file system and emptied there, one after the
/// other, so any depth takes the same file handles. Every step names a file within an open
/// directory, so a link that somebody puts in the way is removed and never followed.
public final class Removal {

  /// How often a directory that does not become empty is read again.
  private static final int LISTINGS_MAX = 3;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  private static final String ABANDONED = "runyard-removed";

  /// The process that empties it.
  private static final Pattern BIN = Pattern.compile(ABANDONED + "-([0-9]+-[0-9]+)-.*");

  private final Path bin;
  private final Deque<Path> directories = new ArrayDeque<>();
  private final List<Path> left = new ArrayList<>();
  private final boolean locked;
  private int moved;

  /// @param locked whether directories may be such that the runner has to open them first
  private Removal(Path bin, boolean locked) throws IOException {
    this.bin = bin;
    this.locked = locked;
    try (Stream<Path> earlier = Files.list(bin)) {
      moved = earlier.mapToInt(Removal::number).max().orElse(-1) + 1;
    }
  }

  /// Removes a directory; returns what could not be removed. Does nothing without a target. The
  /// path is free at once.
  ///
  /// @param target in a folder that only the runner may write
  public static List<Path> of(Path target) throws IOException {
    Path bin = bin(target);
    boolean there = Files.exists(target, LinkOption.NOFOLLOW_LINKS);
    boolean begun = Files.exists(bin, LinkOption.NOFOLLOW_LINKS);
    if (!there && !begun) {
      return List.of();
    }
    if (!begun) {
      Files.createDirectory(bin, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    }
    Removal removal = new Removal(bin, true);
    if (there) {
      Files.move(target, bin.resolve(removal.nextName()), StandardCopyOption.ATOMIC_MOVE);
    }
    return removal.finished();
  }

  /// Removes what a runner that is dead had begun to remove.
  public static List<Path> finish(Path target) throws IOException {
    Path bin = bin(target);
    return Files.exists(bin, LinkOption.NOFOLLOW_LINKS)
        ? new Removal(bin, true).finished()
        : List.of();
  }

  private static Path bin(Path target) {
    return target.resolveSibling(target.getFileName() + ".removed");
  }

  /// Removes directories out of an open one that others may write too, as root; returns what could
  /// not be removed.
  ///
  /// @param place a folder of the same file system
  public static List<Path> of(SecureDirectoryStream<Path> from, List<Path> names, Path place)
      throws IOException {
    Path bin = Files.createTempDirectory(place, ABANDONED + "-" + ProcessStart.self().text() + "-");
    Removal removal = new Removal(bin, false);
    List<Path> refused = new ArrayList<>();
    try (SecureDirectoryStream<Path> top = open(bin)) {
      for (Path name : names) {
        try {
          from.move(name, top, Path.of(removal.nextName()));
        } catch (IOException _) {
          refused.add(name);
        }
      }
    }
    refused.addAll(removal.finished());
    return List.copyOf(refused);
  }

  /// Removes what a runner that is dead had taken out of open directories; false if something
  /// stays.
  public static boolean finishAll(Path place) throws IOException {
    boolean all = true;
    try (DirectoryStream<Path> bins = Files.newDirectoryStream(place, ABANDONED + "*")) {
      for (Path bin : bins) {
        boolean own =
            Files.isDirectory(bin, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(bin, LinkOption.NOFOLLOW_LINKS)
                    .equals(Files.getOwner(Path.of("/proc/self")));
        all &= !own || isBeingEmptied(bin) || new Removal(bin, false).finished().isEmpty();
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return all;
  }

  private static boolean isBeingEmptied(Path bin) {
    Matcher name = BIN.matcher(String.valueOf(bin.getFileName()));
    return name.matches()
        && ProcessStart.read(name.group(1)).filter(ProcessStart::isAlive).isPresent();
  }

  /// Opens a folder of the runner.
  @SuppressWarnings("StreamResourceLeak")
  public static SecureDirectoryStream<Path> open(Path folder) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(folder);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new IOException("this file system cannot be cleaned without following links");
  }

  /// Empties the bin, also of what an earlier removal left in it.
  private List<Path> finished() throws IOException {
    directories.clear();
    try (SecureDirectoryStream<Path> top = open(bin)) {
      for (Path entry : top) {
        if (!discard(top, entry, top)) {
          left.add(bin.resolve(entry.getFileName()));
        }
      }
      while (!directories.isEmpty()) {
        empty(top, directories.remove());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    if (left.isEmpty()) {
      Files.delete(bin);
    }
    return List.copyOf(left);
  }

  private static int number(Path earlier) {
    String name = String.valueOf(earlier.getFileName());
    return NUMBER.matcher(name).matches() ? Integer.parseInt(name) : -1;
  }

  private void empty(SecureDirectoryStream<Path> top, Path name) {
    for (int listing = 1; ; listing++) {
      try {
        discardAll(top, name);
        top.deleteDirectory(name);
        return;
      } catch (NoSuchFileException e) {
        return;
      } catch (IOException e) {
        if (listing == LISTINGS_MAX) {
          left.add(bin.resolve(name));
          return;
        }
      }
    }
  }

  private void discardAll(SecureDirectoryStream<Path> top, Path name) throws IOException {
    try (SecureDirectoryStream<Path> directory =
        top.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path entry : directory) {
        discard(directory, entry, top);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /// A directory waits in the bin for its turn, everything else is removed now. What cannot be
  /// removed keeps its directory from being removed, where it is noticed.
  private boolean discard(
      SecureDirectoryStream<Path> directory, Path entry, SecureDirectoryStream<Path> top) {
    Path name = entry.getFileName();
    try {
      PosixFileAttributes attributes = view(directory, name).readAttributes();
      if (!attributes.isDirectory()) {
        directory.deleteFile(name);
        return true;
      }
      if (locked && !attributes.permissions().containsAll(OWNER_ONLY)) {
        unlock(directory, name);
      }
      Path next = Path.of(nextName());
      directory.move(name, top, next);
      directories.add(next);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// The system cannot open a directory that its owner may not read, so that case is handled by
  /// name.
  private static void unlock(SecureDirectoryStream<Path> directory, Path name) throws IOException {
    try {
      view(directory, name).setPermissions(OWNER_ONLY);
    } catch (AccessDeniedException e) {
      directory.getFileAttributeView(name, PosixFileAttributeView.class).setPermissions(OWNER_ONLY);
    }
  }

  private static PosixFileAttributeView view(SecureDirectoryStream<Path> directory, Path name) {
    return directory.getFileAttributeView(
        name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  private String nextName() {
    return Integer.toString(moved++);
  }
}
