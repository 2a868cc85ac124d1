package dev.runyard.runner.upload;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.limits.Bounds;
import dev.runyard.runner.workspace.GitNames;
import java.util.ArrayList;
import java.util.List;

/// The path of an entry below the folder it is unpacked to: names and slashes, nothing else.
///
/// @param names none for the folder itself
record EntryPath(List<String> names) {
  private static final char UNREADABLE = '\uFFFD';

  EntryPath {
    names = List.copyOf(names);
  }

  /// Reads what an archive says. Names without effect, such as those of `./a//b`, are left out.
  static EntryPath of(String text) throws ArchiveRefused {
    if (text.indexOf('\0') >= 0 || text.indexOf(UNREADABLE) >= 0) {
      throw ArchiveRefused.because("a name in it is no text in UTF-8");
    }
    if (text.startsWith("/")) {
      throw ArchiveRefused.because("a path in it is absolute");
    }
    if (Bounds.bytes(text) > UnpackBounds.ENTRY_PATH_BYTES_MAX) {
      throw ArchiveRefused.because("a path in it is too long");
    }
    List<String> names = new ArrayList<>();
    for (String name : text.split("/", -1)) {
      if (name.equals("..")) {
        throw ArchiveRefused.because("a path in it leads out of the folder");
      }
      if (GitNames.isRepository(name)) {
        throw ArchiveRefused.because("a file in it has a name that git keeps for itself");
      }
      if (Bounds.bytes(name) > UnpackBounds.ENTRY_NAME_BYTES_MAX) {
        throw ArchiveRefused.because("a name in it is too long");
      }
      if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
    }
    if (names.size() > ChangeBounds.DEPTH_MAX) {
      throw ArchiveRefused.because("a path in it is too deep");
    }
    return new EntryPath(names);
  }

  boolean isRoot() {
    return names.isEmpty();
  }

  String text() {
    return String.join("/", names);
  }

  /// The paths of the folders around it, the outermost first.
  List<String> folders() {
    List<String> folders = new ArrayList<>();
    StringBuilder path = new StringBuilder();
    for (String name : names.subList(0, Math.max(0, names.size() - 1))) {
      path.append(path.isEmpty() ? "" : "/").append(name);
      folders.add(path.toString());
    }
    return folders;
  }

  String name() {
    return names.getLast();
  }
}
