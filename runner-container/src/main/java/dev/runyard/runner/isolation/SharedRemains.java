package dev.runyard.runner.isolation;

import dev.runyard.runner.files.Removal;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// What users of attempts left where every user may write, and the next attempt with the same user
/// could read. The places themselves are never changed.
///
/// @param places folders of the system
record SharedRemains(List<Path> places) {
  /// Folders within folders that are searched; what is deeper in those of others is in the way.
  static final int DEPTH_MAX = 128;

  /// Files and folders of other attempts that are looked at in one place. An attempt may make as
  /// many as it likes there, and who ends beside it shall not wait for that.
  static final int ENTRIES_MAX = 10_000;

  /// The same for a search that others wait for.
  static final int WHOLE_ENTRIES_MAX = 1_000_000;

  /// An owner that is no user of attempts.
  static final int SOMEBODY = -1;

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

  /// What a search came to.
  ///
  /// @param left users of whom something could not be removed
  /// @param inTheWay owners of what could not be searched, in which there may be something of
  ///   anybody; it goes when its owner's attempt ends
  record Found(Set<Integer> left, Set<Integer> inTheWay) {
    Found {
      left = Set.copyOf(left);
      inTheWay = Set.copyOf(inTheWay);
    }

    /// Whether nothing of a user can be there any more.
    boolean nothingOf(int uid) {
      return inTheWay.isEmpty() && !left.contains(uid);
    }
  }

  /// Removes what users left who have no process any more.
  ///
  /// @param entriesMax of other attempts in each place
  Found remove(Set<Integer> uids, int entriesMax) throws IOException {
    Set<Integer> left = new HashSet<>();
    Set<Integer> inTheWay = new HashSet<>();
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        Search search = new Search(place.toRealPath(), uids, entriesMax);
        search.run();
        left.addAll(search.left);
        inTheWay.addAll(search.inTheWay);
      }
    }
    return new Found(left, inTheWay);
  }

  /// Removes what runners that are dead had begun to remove; for who has the lock of the claims.
  void finish() throws IOException {
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        Removal.finishAll(place.toRealPath());
      }
    }
  }

  static boolean isOfAttempts(int owner) {
    return owner >= AgentUser.UID_FIRST && owner < AgentUser.UID_FIRST + AgentUser.USERS_MAX;
  }

  /// A search of one place.
  private static final class Search {
    private final Path place;
    private final Set<Integer> whose;
    private final int entriesMax;
    private final Set<Integer> left = new HashSet<>();
    private final Set<Integer> inTheWay = new HashSet<>();
    private final Map<Integer, Integer> others = new HashMap<>();
    private int entries;

    Search(Path place, Set<Integer> whose, int entriesMax) {
      this.place = place;
      this.whose = whose;
      this.entriesMax = entriesMax;
    }

    void run() throws IOException {
      try (SecureDirectoryStream<Path> top = Removal.open(place)) {
        search(top, SOMEBODY, 0);
      }
    }

    /// Searches an open folder, each step within it, so that no link is followed. What is in it is
    /// removed before any folder in it is entered.
    private void search(SecureDirectoryStream<Path> folder, int folders, int depth)
        throws IOException {
      Map<Integer, List<Path>> own = new HashMap<>();
      Map<Path, Integer> open = new LinkedHashMap<>();
      try {
        for (Path entry : folder) {
          if (isOver()) {
            return;
          }
          look(folder, entry.getFileName(), folders, own, open);
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      for (Map.Entry<Integer, List<Path>> one : own.entrySet()) {
        if (!removed(folder, one.getValue())) {
          stays(one.getKey(), folders);
        }
      }
      for (Map.Entry<Path, Integer> inner : open.entrySet()) {
        within(folder, inner.getKey(), inner.getValue(), depth + 1);
      }
    }

    /// Where there is no room for the folder in which they would be emptied, they stay.
    private boolean removed(SecureDirectoryStream<Path> folder, List<Path> names) {
      try {
        return Removal.of(folder, names, place).isEmpty();
      } catch (IOException _) {
        return false;
      }
    }

    private void look(
        SecureDirectoryStream<Path> folder,
        Path name,
        int folders,
        Map<Integer, List<Path>> own,
        Map<Path, Integer> open) {
      int owner = folders;
      try {
        PosixFileAttributes attributes =
            folder
                .getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
        owner = owner(attributes);
        if (whose.contains(owner)) {
          if (attributes.isDirectory()) {
            own.computeIfAbsent(owner, _ -> new ArrayList<>()).add(name);
          } else {
            folder.deleteFile(name);
          }
          return;
        }
        count(owner);
        if (attributes.isDirectory()
            && (isOfAttempts(owner)
                || attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE))) {
          open.put(name, owner);
        }
      } catch (NoSuchFileException _) {
        // Somebody else removed it.
      } catch (IOException _) {
        stays(owner, folders);
      }
    }

    /// Who may move things in its folder can keep them from being removed, so that is its doing.
    private void stays(int owner, int folders) {
      if (whose.contains(owner) && !isOfAttempts(folders)) {
        left.add(owner);
      } else {
        inTheWay.add(folders);
      }
    }

    private void within(SecureDirectoryStream<Path> folder, Path name, int owner, int depth)
        throws IOException {
      if (isOver()) {
        return;
      }
      if (depth > DEPTH_MAX) {
        inTheWay.add(owner);
        return;
      }
      SecureDirectoryStream<Path> inner;
      try {
        inner = folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
      } catch (NoSuchFileException | NotDirectoryException _) {
        return;
      } catch (IOException _) {
        inTheWay.add(owner);
        return;
      }
      try (inner) {
        search(inner, owner, depth);
      }
    }

    /// Who has most is in the way. Only what attempts make is bounded: what people and services
    /// keep here does not grow because somebody else's run ends.
    private void count(int owner) {
      if (isOfAttempts(owner)) {
        entries++;
        others.merge(owner, 1, Integer::sum);
        if (entries > entriesMax) {
          inTheWay.add(Collections.max(others.entrySet(), Map.Entry.comparingByValue()).getKey());
        }
      }
    }

    private boolean isOver() {
      return entries > entriesMax;
    }

    /// The number of an owner that is a user of attempts; another one of anybody else.
    private static int owner(PosixFileAttributes attributes) {
      String name = attributes.owner().getName();
      String number =
          name.startsWith(AgentNames.PREFIX) ? name.substring(AgentNames.PREFIX.length()) : name;
      return NUMBER.matcher(number).matches() ? Integer.parseInt(number) : SOMEBODY;
    }
  }
}
