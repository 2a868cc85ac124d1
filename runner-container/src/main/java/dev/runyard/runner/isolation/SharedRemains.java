package dev.runyard.runner.isolation;

import dev.runyard.runner.files.Removal;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// What users of attempts left where every user may write, and the next attempt with the same user
/// could read. The places themselves are never changed.
///
/// @param places folders of the system
record SharedRemains(List<Path> places) {
  /// Folders within folders that are searched; what is deeper in those of others stays, and its
  /// user taken.
  static final int DEPTH_MAX = 32;

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  /// Those of Linux.
  static final SharedRemains HERE =
      new SharedRemains(
          List.of(
              Path.of("/tmp"),
              Path.of("/var/tmp"),
              Path.of("/dev/shm"),
              Path.of("/dev/mqueue"),
              Path.of("/run/lock")));

  SharedRemains {
    places = List.copyOf(places);
  }

  /// Removes what users left; false if something may be left.
  boolean removed(Set<Integer> uids) throws IOException {
    boolean all = true;
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        all &= new Search(place.toRealPath(), uids).done();
      }
    }
    return all;
  }

  /// Removes what runners that are dead had begun to remove; for who has the lock of the claims.
  void finish() throws IOException {
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        Removal.finishAll(place.toRealPath());
      }
    }
  }

  /// A search of one place.
  private record Search(Path place, Set<Integer> whose) {
    boolean done() throws IOException {
      try (SecureDirectoryStream<Path> top = Removal.open(place)) {
        return searched(top, 0);
      }
    }

    /// Searches an open folder, each step within it, so that no link is followed.
    private boolean searched(SecureDirectoryStream<Path> folder, int depth) throws IOException {
      boolean all = true;
      List<Path> folders = new ArrayList<>();
      List<Path> others = new ArrayList<>();
      try {
        for (Path entry : folder) {
          Path name = entry.getFileName();
          try {
            PosixFileAttributes attributes =
                folder
                    .getFileAttributeView(
                        name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
            if (!whose.contains(owner(attributes))) {
              if (attributes.isDirectory() && open(attributes)) {
                others.add(name);
              }
            } else if (attributes.isDirectory()) {
              folders.add(name);
            } else {
              folder.deleteFile(name);
            }
          } catch (NoSuchFileException _) {
            // Somebody else removed it.
          } catch (IOException _) {
            all = false;
          }
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      if (!folders.isEmpty()) {
        all &= Removal.of(folder, folders, place).isEmpty();
      }
      for (Path name : others) {
        all &= within(folder, name, depth + 1);
      }
      return all;
    }

    private boolean within(SecureDirectoryStream<Path> folder, Path name, int depth)
        throws IOException {
      if (depth > DEPTH_MAX) {
        return false;
      }
      SecureDirectoryStream<Path> inner;
      try {
        inner = folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
      } catch (IOException _) {
        // It is gone, or something else by now.
        return true;
      }
      try (inner) {
        return searched(inner, depth);
      }
    }

    /// Whether users of attempts may have made something in a folder of somebody else.
    private static boolean open(PosixFileAttributes attributes) {
      int owner = owner(attributes);
      return attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)
          || (owner >= AgentUser.UID_FIRST && owner < AgentUser.UID_FIRST + AgentUser.USERS_MAX);
    }

    /// The number of an owner that is a user of attempts; -1 of another.
    private static int owner(PosixFileAttributes attributes) {
      String name = attributes.owner().getName();
      String number =
          name.startsWith(AgentNames.PREFIX) ? name.substring(AgentNames.PREFIX.length()) : name;
      return NUMBER.matcher(number).matches() ? Integer.parseInt(number) : -1;
    }
  }
}
