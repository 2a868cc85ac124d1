package dev.runyard.runner.change;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// The files of the commit that a workspace began as, by their paths. Those whose paths are no text
/// are not in it, and stay as they are.
///
/// @param files without submodules
/// @param submodules their paths
record OriginTree(Map<String, Leaf> files, Map<String, Leaf> submodules) {
  static final String FILE = "100644";
  static final String PROGRAM = "100755";
  static final String LINK = "120000";
  private static final String SUBMODULE = "160000";

  /// Most bytes that git may print of a commit. A checkout of a few of its folders bounds only
  /// these, and a tree may name another one so often that its paths have no end.
  static final int LISTED_BYTES_MAX = 128 * 1024 * 1024;

  private static final int BUFFER_BYTES = 64 * 1024;

  /// A file, a link or a submodule.
  ///
  /// @param mode as git writes it
  /// @param id of its content
  /// @param bytes of it; 0 for a submodule
  record Leaf(String mode, String id, long bytes) {
    boolean link() {
      return mode.equals(LINK);
    }
  }

  static OriginTree read(OwnGit git, String commit) throws IOException, TakingFailed {
    Map<String, Leaf> files = new HashMap<>();
    Map<String, Leaf> submodules = new HashMap<>();
    records(
        listed(git, commit),
        record -> {
          int tab = record.indexOf('\t');
          String[] head = record.substring(0, tab).trim().split(" +", -1);
          boolean submodule = head[0].equals(SUBMODULE);
          Leaf leaf = new Leaf(head[0].intern(), head[2], submodule ? 0 : Long.parseLong(head[3]));
          (submodule ? submodules : files).put(record.substring(tab + 1), leaf);
        });
    return new OriginTree(files, submodules);
  }

  private static Path listed(OwnGit git, String commit) throws IOException, TakingFailed {
    try {
      return git.run(
          Path.of("/dev/null"),
          LISTED_BYTES_MAX,
          "ls-tree",
          "-r",
          "-z",
          "-l",
          "--full-tree",
          commit);
    } catch (OwnGit.TooMuch e) {
      throw new TakingFailed("its base has too many files", e);
    }
  }

  /// Reads what git printed with `-z`, without records that are no text, one at a time.
  static void records(Path printed, Consumer<String> each) throws IOException {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(printed)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        int from = 0;
        for (int at = 0; at < n; at++) {
          if (buffer[at] == 0) {
            record.write(buffer, from, at - from);
            text(record).ifPresent(each);
            record.reset();
            from = at + 1;
          }
        }
        record.write(buffer, from, n - from);
      }
    }
  }

  /// The records that git printed with `-z`, without those that are no text.
  static List<String> records(Path printed) throws IOException {
    List<String> records = new ArrayList<>();
    records(printed, records::add);
    return records;
  }

  /// Empty for a path that is no text, which stays as it is.
  private static Optional<String> text(ByteArrayOutputStream record) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(record.toByteArray()))
              .toString());
    } catch (CharacterCodingException _) {
      return Optional.empty();
    }
  }

  /// True if one of the paths is above this one.
  static boolean isWithin(Set<String> paths, String path) {
    for (int at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      if (paths.contains(path.substring(0, at))) {
        return true;
      }
    }
    return false;
  }
}
