package dev.runyard.runner.checkout;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What a repository's `.gitmodules` says, as `git config -z --list` prints it. Where it says
/// something twice, the first holds, as it does for git.
///
/// @param byPath the submodules that have a path
record ModulesFile(Map<String, Entry> byPath) {
  static final String NAME = ".gitmodules";

  private static final String SECTION = "submodule.";

  /// A submodule.
  ///
  /// @param unwanted whether its repository wants it to be left out
  record Entry(String name, String url, boolean unwanted) {}

  static ModulesFile of(String printed) {
    Map<String, Map<String, String>> sections = new LinkedHashMap<>();
    for (String setting : printed.split("\0", -1)) {
      int end = setting.indexOf('\n');
      int dot = setting.lastIndexOf('.', end < 0 ? setting.length() : end);
      if (end > 0 && setting.startsWith(SECTION) && dot >= SECTION.length()) {
        sections
            .computeIfAbsent(setting.substring(SECTION.length(), dot), _ -> new LinkedHashMap<>())
            .putIfAbsent(setting.substring(dot + 1, end), setting.substring(end + 1));
      }
    }
    Map<String, Entry> byPath = new LinkedHashMap<>();
    sections.forEach(
        (name, values) ->
            byPath.putIfAbsent(
                values.getOrDefault("path", ""),
                new Entry(
                    name,
                    values.getOrDefault("url", ""),
                    values.getOrDefault("update", "").equals("none"))));
    return new ModulesFile(byPath);
  }

  Optional<Entry> at(String path) {
    return Optional.ofNullable(byPath.get(path));
  }
}
