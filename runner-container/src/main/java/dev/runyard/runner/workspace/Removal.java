package dev.runyard.runner.workspace;

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

/// Removes one directory with everything in it.
///
/// Directories are moved into a private one next to it and emptied there, one after the other, so
/// any depth takes the same memory and file handles. Every step names a file within an open
/// directory, so a link that somebody puts in the way is removed and never followed.
public final class Removal {

  /// How often a directory that does not become empty is read again.
  private static final int LISTINGS_MAX = 3;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final Path target;
  private final Path bin;
  private final Deque<Path> directories = new ArrayDeque<>();
  private final List<Path> left = new ArrayList<>();
  private int moved;

  Removal(Path target) {
    this.target = target;
    this.bin = target.resolveSibling(target.getFileName() + ".removed");
  }

  /// Removes a directory; returns the paths that could not be removed.
  public static List<Path> of(Path target) throws IOException {
    return new Removal(target).run();
  }

  /// Returns the paths that could not be removed; does nothing without a target.
  List<Path> run() throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    Files.createDirectory(bin, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    Files.move(target, bin.resolve(nextName()), StandardCopyOption.ATOMIC_MOVE);
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(bin)) {
      if (!(stream instanceof SecureDirectoryStream<Path> top)) {
        throw new IOException("this file system cannot be cleaned without following links");
      }
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
      if (!attributes.permissions().containsAll(OWNER_ONLY)) {
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
