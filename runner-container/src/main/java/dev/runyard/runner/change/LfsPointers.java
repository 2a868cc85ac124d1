package dev.runyard.runner.change;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The pointers that the base has in place of files of Git LFS, whose content a checkout may have
/// fetched.
final class LfsPointers {
  private static final long POINTER_BYTES_MAX = 1024;
  private static final String HEAD = "version https://git-lfs.github.com/spec/v1\n";
  private static final Pattern OID = Pattern.compile("(?m)^oid sha256:([0-9a-f]{64})$");

  private LfsPointers() {}

  /// The SHA-256 of the content that each pointer stands for, by its path.
  static Map<String, String> of(
      Collection<String> paths, OriginAttributes attributes, OriginTree base, OwnGit git)
      throws IOException, TakingFailed {
    Map<String, String> idOf = new HashMap<>();
    for (String path : paths) {
      OriginTree.Leaf leaf = base.files().get(path);
      if (leaf != null && leaf.bytes() <= POINTER_BYTES_MAX && attributes.lfs(path)) {
        idOf.put(path, leaf.id());
      }
    }
    if (idOf.isEmpty()) {
      return Map.of();
    }
    Path asked = git.spare("pointers");
    Set<String> ids = new HashSet<>(idOf.values());
    Files.writeString(asked, String.join("\n", ids) + "\n");
    String printed =
        new String(
            Files.readAllBytes(git.run(asked, Long.MAX_VALUE, "cat-file", "--batch")),
            StandardCharsets.ISO_8859_1);
    Map<String, String> contents = contents(printed);
    Map<String, String> pointers = new HashMap<>();
    idOf.forEach(
        (path, id) -> {
          String content = contents.getOrDefault(id, "");
          Matcher oid = OID.matcher(content);
          if (content.startsWith(HEAD) && oid.find()) {
            pointers.put(path, oid.group(1));
          }
        });
    return pointers;
  }

  /// Of each object: a line with its id, its kind and its length, and its content on lines of its
  /// own.
  private static Map<String, String> contents(String printed) {
    Map<String, String> contents = new HashMap<>();
    int at = 0;
    while (at < printed.length()) {
      int line = printed.indexOf('\n', at);
      List<String> head = new ArrayList<>(List.of(printed.substring(at, line).split(" ", -1)));
      int bytes = Integer.parseInt(head.getLast());
      contents.put(head.getFirst(), printed.substring(line + 1, line + 1 + bytes));
      at = line + 1 + bytes + 1;
    }
    return contents;
  }
}
