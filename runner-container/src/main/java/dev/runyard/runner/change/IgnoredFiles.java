package dev.runyard.runner.change;

import dev.runyard.runner.workspace.GitNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Which new files the base's `.gitignore` files name. The agent's changes of those files have no
/// effect: it could hide what it did.
final class IgnoredFiles {
  private static final String NAME = ".gitignore";

  /// Before a path, so that nothing in it has a meaning.
  private static final String HERE = "./";

  private static final int RULES_BYTES_MAX = 1024 * 1024;
  private static final int ALL_RULES_BYTES_MAX = 16 * RULES_BYTES_MAX;

  private IgnoredFiles() {}

  /// The ignored ones of these paths, none of which is in the base.
  static Set<String> among(Collection<String> paths, OriginTree base, OwnGit git)
      throws IOException, TakingFailed {
    Path rules = git.spare("rules");
    boolean any = false;
    for (Map.Entry<String, OriginTree.Leaf> file : base.files().entrySet()) {
      if (isRules(file.getKey()) && !file.getValue().link()) {
        copy(file, rules, git);
        any = true;
      }
    }
    return any ? among(paths, rules, git) : Set.of();
  }

  /// The ignored ones of these paths.
  ///
  /// @param rules a folder with nothing but `.gitignore` files
  static Set<String> among(Collection<String> paths, Path rules, OwnGit git)
      throws IOException, TakingFailed {
    if (paths.isEmpty()) {
      return Set.of();
    }
    Path ignored =
        git.run(
            git.asked("asked", paths.stream().map(path -> HERE + path).iterator()),
            Long.MAX_VALUE,
            "--work-tree=" + rules,
            "-C",
            rules.toString(),
            "check-ignore",
            "--no-index",
            "--stdin",
            "-z");
    Set<String> among = new HashSet<>();
    OriginTree.records(ignored, path -> among.add(path.substring(HERE.length())));
    return among;
  }

  /// Copies the `.gitignore` files of a workspace into an empty folder.
  static final class Rules {
    private final Path folder;
    private long bytes;

    Rules(Path folder) {
      this.folder = folder;
    }

    /// Copies a file if it is one.
    void see(String path, long size, WorkspaceWalk.Content content)
        throws IOException, TakingFailed {
      if (!isRules(path)) {
        return;
      }
      bytes += size;
      if (size > RULES_BYTES_MAX || bytes > ALL_RULES_BYTES_MAX) {
        throw new TakingFailed("its .gitignore files are too large");
      }
      Path copy = folder.resolve(path);
      Files.createDirectories(copy.getParent());
      try (InputStream in = content.open()) {
        Files.write(copy, in.readNBytes(RULES_BYTES_MAX));
      }
    }
  }

  private static boolean isRules(String path) {
    return (path.equals(NAME) || path.endsWith("/" + NAME)) && GitNames.allowed(path);
  }

  private static void copy(Map.Entry<String, OriginTree.Leaf> file, Path rules, OwnGit git)
      throws IOException, TakingFailed {
    if (file.getValue().bytes() > RULES_BYTES_MAX) {
      throw new TakingFailed("a .gitignore of its base is too large");
    }
    Path copy = rules.resolve(file.getKey());
    Files.createDirectories(copy.getParent());
    Files.move(git.run("cat-file", "blob", file.getValue().id()), copy);
  }
}
