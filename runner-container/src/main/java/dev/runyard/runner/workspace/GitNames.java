package dev.runyard.runner.workspace;

import java.util.Locale;

/// Names that git refuses in a tree, because on some file system they lead into a git directory.
/// This refuses a little more than git does.
public final class GitNames {
  private static final String IGNORED_BY_HFS =
      "\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
          + "\u206a\u206b\u206c\u206d\u206e\u206f\ufeff";

  private GitNames() {}

  /// True for a name that is, or may be taken for, `.git`.
  public static boolean isRepository(String name) {
    StringBuilder shown = new StringBuilder();
    name.chars().filter(c -> IGNORED_BY_HFS.indexOf(c) < 0).forEach(c -> shown.append((char) c));
    String plain = shown.toString().toLowerCase(Locale.ROOT);
    for (String part : plain.split("[\\\\:]", -1)) {
      String stripped = part.replaceAll("[. ]+$", "");
      if (stripped.equals(".git") || stripped.matches("git~[0-9]+")) {
        return true;
      }
    }
    return false;
  }

  /// True for a path that a tree may have.
  public static boolean allowed(String path) {
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".") || name.equals("..") || isRepository(name)) {
        return false;
      }
    }
    return true;
  }
}
