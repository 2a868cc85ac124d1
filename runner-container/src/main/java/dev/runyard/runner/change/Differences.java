package dev.runyard.runner.change;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.ChangedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What differs between two trees: a list of the files, and a patch.
final class Differences {
  private static final String NO_MODE = "000000";

  private Differences() {}

  /// The patch in git's own format, which has binary files too; empty if it would be too large, or
  /// takes git too much memory to make.
  static Optional<Path> patch(OwnGit git, String base, String tree)
      throws IOException, TakingFailed {
    try {
      return Optional.of(
          git.run(
              Path.of("/dev/null"),
              ChangeBounds.PATCH_BYTES_MAX,
              "diff-tree",
              "-p",
              "-r",
              "-M",
              "--binary",
              "--full-index",
              "--no-color",
              "--no-ext-diff",
              "--no-textconv",
              "--src-prefix=a/",
              "--dst-prefix=b/",
              base,
              tree));
    } catch (OwnGit.TooMuch | OwnGit.NoMemory _) {
      return Optional.empty();
    }
  }

  /// The files by their paths.
  static List<ChangedFile> files(OwnGit git, String base, String tree)
      throws IOException, TakingFailed {
    List<String> records =
        OriginTree.records(
            git.run(
                "diff-tree",
                "-r",
                "-M",
                "-z",
                "--raw",
                "--numstat",
                "--no-ext-diff",
                "--no-textconv",
                base,
                tree));
    int at = 0;
    List<String[]> raw = new ArrayList<>();
    while (at < records.size() && records.get(at).startsWith(":")) {
      String[] head = records.get(at).substring(1).split(" ", -1);
      boolean renamed = head[4].startsWith("R");
      String from = records.get(at + 1);
      raw.add(new String[] {head[0], head[1], head[4], from, renamed ? records.get(at + 2) : from});
      at += renamed ? 3 : 2;
    }
    Map<String, String[]> lines = new HashMap<>();
    while (at < records.size()) {
      String[] counted = records.get(at).split("\t", 3);
      boolean renamed = counted[2].isEmpty();
      lines.put(renamed ? records.get(at + 2) : counted[2], counted);
      at += renamed ? 3 : 1;
    }
    return raw.stream().map(one -> file(one, lines.get(one[4]))).toList();
  }

  /// The files of a change that git does not compare because it is too large.
  static List<ChangedFile> uncounted(NewTree tree, OriginTree base) {
    List<ChangedFile> files = new ArrayList<>();
    tree.changed()
        .forEach(
            (path, leaf) -> {
              OriginTree.Leaf before = base.files().get(path);
              ChangedFile.Kind kind =
                  before == null
                      ? ChangedFile.Kind.ADDED
                      : before.id().equals(leaf.id())
                          ? ChangedFile.Kind.MODE
                          : ChangedFile.Kind.MODIFIED;
              String mode = before == null ? null : before.mode();
              files.add(new ChangedFile(path, kind, null, leaf.mode(), mode, null, null));
            });
    for (String path : tree.gone()) {
      OriginTree.Leaf before = base.files().get(path);
      files.add(
          new ChangedFile(
              path,
              ChangedFile.Kind.DELETED,
              null,
              null,
              before == null ? null : before.mode(),
              null,
              null));
    }
    return files;
  }

  private static ChangedFile file(String[] raw, String @Nullable [] counted) {
    ChangedFile.Kind kind =
        switch (raw[2].charAt(0)) {
          case 'A' -> ChangedFile.Kind.ADDED;
          case 'D' -> ChangedFile.Kind.DELETED;
          case 'R' -> ChangedFile.Kind.RENAMED;
          default -> ChangedFile.Kind.MODIFIED;
        };
    Long added = counted == null || counted[0].equals("-") ? null : Long.valueOf(counted[0]);
    Long removed = counted == null || counted[1].equals("-") ? null : Long.valueOf(counted[1]);
    boolean onlyMode =
        kind == ChangedFile.Kind.MODIFIED
            && !raw[0].equals(raw[1])
            && Long.valueOf(0).equals(added)
            && Long.valueOf(0).equals(removed);
    return new ChangedFile(
        raw[4],
        onlyMode ? ChangedFile.Kind.MODE : kind,
        kind == ChangedFile.Kind.RENAMED ? raw[3] : null,
        raw[1].equals(NO_MODE) ? null : raw[1],
        raw[0].equals(NO_MODE) ? null : raw[0],
        added,
        removed);
  }
}
