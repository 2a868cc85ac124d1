package dev.runyard.runner.change;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the base's `.gitattributes` say about how files are stored: a checkout may have written
/// CRLF where the commit has LF, and the content of a file of Git LFS in place of its pointer.
/// Nothing else of attributes has an effect, and nothing of the agent's.
final class OriginAttributes {
  private static final String NAME = ".gitattributes";

  /// The values that mean something here.
  private static final Set<String> KNOWN = Set.of("set", "unset", "auto", "lf", "crlf", "lfs");

  /// A path, an attribute and its value.
  private static final int TOLD = 3;

  private final Map<String, String> text = new HashMap<>();
  private final Map<String, String> eol = new HashMap<>();
  private final Map<String, String> filter = new HashMap<>();

  /// Asks for these paths. The index must hold the base.
  static OriginAttributes of(Collection<String> paths, OriginTree base, OwnGit git)
      throws IOException, TakingFailed {
    OriginAttributes ends = new OriginAttributes();
    boolean any =
        base.files().keySet().stream()
            .anyMatch(path -> path.equals(NAME) || path.endsWith("/" + NAME));
    if (!any || paths.isEmpty()) {
      return ends;
    }
    Path printed =
        git.run(
            git.asked("converted", paths.iterator()),
            Long.MAX_VALUE,
            "check-attr",
            "--cached",
            "-z",
            "--stdin",
            "text",
            "eol",
            "filter");
    List<String> told = new ArrayList<>();
    OriginTree.records(
        printed,
        record -> {
          told.add(record);
          if (told.size() == TOLD) {
            ends.add(told.get(0), told.get(1), told.get(2));
            told.clear();
          }
        });
    return ends;
  }

  /// A value may be as long as its base likes, for each of its files.
  private void add(String path, String attribute, String value) {
    if (KNOWN.contains(value)) {
      of(attribute).put(path, value);
    }
  }

  private Map<String, String> of(String attribute) {
    return switch (attribute) {
      case "text" -> text;
      case "eol" -> eol;
      case String _ -> filter;
    };
  }

  /// True for a file of Git LFS.
  boolean lfs(String path) {
    return filter.getOrDefault(path, "").equals("lfs");
  }

  /// How a file's line ends are stored.
  enum Rule {
    AS_THEY_ARE,
    LF,
    /// LF if the content is text, and if the base has no CRLF in it.
    LF_IF_TEXT
  }

  Rule rule(String path) {
    String asText = text.getOrDefault(path, "unspecified");
    String end = eol.getOrDefault(path, "unspecified");
    boolean named = end.equals("lf") || end.equals("crlf");
    return switch (asText) {
      case "set" -> Rule.LF;
      case "auto" -> Rule.LF_IF_TEXT;
      case "unset" -> Rule.AS_THEY_ARE;
      case String _ -> named ? Rule.LF : Rule.AS_THEY_ARE;
    };
  }

  /// True if there is a CR before an LF.
  static boolean hasCrLf(byte[] content) {
    for (int i = 1; i < content.length; i++) {
      if (content[i] == '\n' && content[i - 1] == '\r') {
        return true;
      }
    }
    return false;
  }

  /// True for content without zeros, and without a CR that no LF follows.
  static boolean isText(byte[] content) {
    for (int i = 0; i < content.length; i++) {
      boolean alone = content[i] == '\r' && (i + 1 == content.length || content[i + 1] != '\n');
      if (content[i] == 0 || alone) {
        return false;
      }
    }
    return true;
  }

  /// The content with LF in place of CRLF.
  static byte[] stored(byte[] content) {
    ByteArrayOutputStream stored = new ByteArrayOutputStream(content.length);
    for (int i = 0; i < content.length; i++) {
      if (content[i] != '\r' || i + 1 == content.length || content[i + 1] != '\n') {
        stored.write(content[i]);
      }
    }
    return stored.toByteArray();
  }
}
