package dev.runyard.runner.change;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    byte[] listed = Files.readAllBytes(git.run("ls-tree", "-r", "-z", "-l", "--full-tree", commit));
    records(
        listed,
        record -> {
          int tab = record.indexOf('\t');
          String[] head = record.substring(0, tab).trim().split(" +", -1);
          boolean submodule = head[0].equals(SUBMODULE);
          Leaf leaf = new Leaf(head[0], head[2], submodule ? 0 : Long.parseLong(head[3]));
          (submodule ? submodules : files).put(record.substring(tab + 1), leaf);
        });
    return new OriginTree(files, submodules);
  }

  /// Reads what git printed with `-z`, without records that are no text.
  static void records(byte[] printed, Consumer<String> each) {
    for (String record : records(printed)) {
      each.accept(record);
    }
  }

  /// The records that git printed with `-z`, without those that are no text.
  static List<String> records(byte[] printed) {
    List<String> records = new ArrayList<>();
    int from = 0;
    for (int at = 0; at < printed.length; at++) {
      if (printed[at] == 0) {
        try {
          records.add(
              StandardCharsets.UTF_8
                  .newDecoder()
                  .decode(ByteBuffer.wrap(printed, from, at - from))
                  .toString());
        } catch (CharacterCodingException _) {
          // Such a path stays as it is.
        }
        from = at + 1;
      }
    }
    return records;
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
