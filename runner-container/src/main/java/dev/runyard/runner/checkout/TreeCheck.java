package dev.runyard.runner.checkout;

import dev.runyard.core.problem.Failure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Looks at every entry of a tree before any is written: how many there are, how large, and whether
/// git could take one for its own. Reads what `git ls-tree -r -t -l` prints, where unusual names
/// are quoted. Not thread-safe, except for [#refused].
final class TreeCheck {
  /// Most bytes of all files.
  static final long BYTES_MAX = 2L * 1024 * 1024 * 1024;

  /// Longest path, as git quotes it.
  static final int PATH_BYTES_MAX = 4096;

  /// Folders inside of each other.
  static final int DEPTH_MAX = 128;

  private static final int LINK_BYTES_MAX = 4095;

  private static final Pattern LINE =
      Pattern.compile("([0-7]{6}) (blob|tree|commit) ([0-9a-f]+) +(-|[0-9]+)\t(.+)");

  /// What file systems that ignore case, signs of nothing, or the ends of names take for `.git`.
  private static final Pattern OWN =
      Pattern.compile("\\.git[ .]*(?::.*)?|git~[0-9]+", Pattern.CASE_INSENSITIVE);

  /// Characters that some file systems do not see. Git quotes each as its bytes.
  private static final List<Pattern> UNSEEN =
      Stream.of(
              "\\\\342\\\\200\\\\21[4-7]",
              "\\\\342\\\\200\\\\25[2-6]",
              "\\\\342\\\\201\\\\25[2-7]",
              "\\\\357\\\\273\\\\277")
          .map(Pattern::compile)
          .toList();

  /// A byte that git does not print as it is.
  private static final Pattern QUOTED = Pattern.compile("\\\\(?:[0-7]{3}|.)");

  private final long bytesMax;
  private final int entriesMax;
  private final long pathsBytesMax;
  private final Map<String, String> modules = new LinkedHashMap<>();
  private boolean attributes;
  private long files;
  private long bytes;
  private int entries;
  private long pathsBytes;
  private volatile @Nullable Failure refused;

  /// @param bytesMax most bytes of all files
  /// @param pathsBytesMax most bytes of all paths
  TreeCheck(long bytesMax, int entriesMax, long pathsBytesMax) {
    this.bytesMax = bytesMax;
    this.entriesMax = entriesMax;
    this.pathsBytesMax = pathsBytesMax;
  }

  /// Why the tree must not be checked out, as far as it was read.
  Optional<Failure> refused() {
    return Optional.ofNullable(refused);
  }

  long files() {
    return files;
  }

  long bytes() {
    return bytes;
  }

  int entries() {
    return entries;
  }

  long pathsBytes() {
    return pathsBytes;
  }

  /// The commits of its submodules, by their paths as git quotes them.
  Map<String, String> modules() {
    return modules;
  }

  /// Whether files of it have attributes.
  boolean attributes() {
    return attributes;
  }

  void line(String line) {
    if (refused != null) {
      return;
    }
    Matcher entry = LINE.matcher(line);
    if (!entry.matches()) {
      refused = GitTrouble.refused("an entry of it cannot be read");
      return;
    }
    boolean link = entry.group(1).equals("120000");
    long size = entry.group(4).equals("-") ? 0 : Long.parseLong(entry.group(4));
    entries++;
    bytes += size;
    pathsBytes += length(entry.group(5));
    files += entry.group(2).equals("blob") ? 1 : 0;
    attributes |= entry.group(5).endsWith(".gitattributes");
    if (entry.group(2).equals("commit")) {
      modules.put(entry.group(5), entry.group(3));
    }
    if (entries > entriesMax || bytes > bytesMax || bytes < 0 || pathsBytes > pathsBytesMax) {
      refused = GitTrouble.TOO_LARGE;
    } else if (link && size > LINK_BYTES_MAX) {
      refused = GitTrouble.refused("a link of it is too long");
    } else {
      refused = name(entry.group(5));
    }
  }

  /// The bytes of a path, of which git quotes those that are not ASCII with four characters each.
  private static int length(String quoted) {
    return quoted.indexOf('\\') < 0
        ? quoted.length()
        : QUOTED.matcher(quoted).replaceAll("_").length();
  }

  private static @Nullable Failure name(String quoted) {
    String path =
        quoted.startsWith("\"") && quoted.endsWith("\"") && quoted.length() > 1
            ? quoted.substring(1, quoted.length() - 1)
            : quoted;
    List<String> names = List.of(path.split("/", -1));
    if (path.length() > PATH_BYTES_MAX || names.size() > DEPTH_MAX) {
      return GitTrouble.refused("a path of it is too long");
    }
    return names.stream().anyMatch(TreeCheck::reserved)
        ? GitTrouble.refused("a file of it has a name that git keeps for itself")
        : null;
  }

  private static boolean reserved(String name) {
    return name.isEmpty()
        || name.equals(".")
        || name.equals("..")
        || OWN.matcher(visible(name)).matches();
  }

  /// The name without the characters that some file systems do not see.
  private static String visible(String name) {
    String left = name.toLowerCase(Locale.ROOT);
    if (left.indexOf('\\') < 0) {
      return left;
    }
    for (Pattern unseen : UNSEEN) {
      left = unseen.matcher(left).replaceAll("");
    }
    return left;
  }
}
