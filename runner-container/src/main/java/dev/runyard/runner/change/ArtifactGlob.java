package dev.runyard.runner.change;

import java.util.List;

/// A pattern of paths: `*` stands for any part of a name, `?` for one character, and `**` for any
/// number of folders, or, at the end, for everything below. Nothing else has a meaning, names that
/// begin with a dot are names like others, and a match takes at most as many steps as the pattern
/// and the path have characters together, multiplied.
final class ArtifactGlob {
  private final List<String> names;

  ArtifactGlob(String pattern) {
    this.names = List.of(pattern.split("/", -1));
  }

  boolean matches(String path) {
    List<String> given = List.of(path.split("/", -1));
    boolean[] reached = new boolean[given.size() + 1];
    reached[0] = true;
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      boolean last = i == names.size() - 1;
      boolean[] next = new boolean[given.size() + 1];
      for (int at = 0; at <= given.size(); at++) {
        if (name.equals("**")) {
          next[at] = (reached[at] && !last) || (at > 0 && (next[at - 1] || reached[at - 1]));
        } else {
          next[at] = at > 0 && reached[at - 1] && name(name, given.get(at - 1));
        }
      }
      reached = next;
    }
    return reached[given.size()];
  }

  /// Goes back to the last star only, which is enough.
  private static boolean name(String pattern, String name) {
    int p = 0;
    int n = 0;
    int star = -1;
    int from = 0;
    while (n < name.length()) {
      char wanted = p < pattern.length() ? pattern.charAt(p) : 0;
      if (p < pattern.length() && wanted == '*') {
        star = p++;
        from = n;
      } else if (p < pattern.length() && (wanted == '?' || wanted == name.charAt(n))) {
        p++;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++from;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
