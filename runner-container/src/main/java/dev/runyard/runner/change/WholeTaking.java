package dev.runyard.runner.change;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What several runs have changed together. It is made of what each of them told, never of the
/// files alone: a file that a change left out, because it has a secret or is ignored, is not in it.
///
/// @param patch on what they began as; empty if it would be too large
record WholeTaking(Optional<Path> patch, long files) {
  private static final String NO_MODE = "000000";

  /// The tree of a commit with a patch.
  ///
  /// @throws TakingFailed if it does not apply
  static String applied(OwnGit git, String commit, byte[] patch) throws IOException, TakingFailed {
    git.run("read-tree", commit);
    if (patch.length > 0) {
      Path file = Files.write(git.spare("told.patch"), patch);
      git.run("apply", "--cached", "--binary", "--whitespace=nowarn", file.toString());
    }
    return Files.readString(git.run("write-tree")).strip();
  }

  /// Adds what one run changed to what the runs before it told.
  ///
  /// @param start what they all began as
  /// @param base what the run began with
  /// @param now the tree of what it left
  static WholeTaking of(OwnGit git, String start, String told, String base, String now)
      throws IOException, TakingFailed {
    git.run("read-tree", told);
    Path entries = git.spare("whole");
    Files.writeString(
        entries,
        index(
            OriginTree.records(
                git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", base, now))),
        StandardCharsets.UTF_8);
    git.run(entries, Long.MAX_VALUE, "update-index", "-z", "--index-info");
    String tree = Files.readString(git.run("write-tree")).strip();
    return new WholeTaking(
        Differences.patch(git, start, tree), Differences.files(git, start, tree).size());
  }

  /// What is gone comes first, since a file may be where a folder was.
  private static String index(List<String> records) {
    StringBuilder gone = new StringBuilder();
    StringBuilder there = new StringBuilder();
    for (int at = 0; at + 1 < records.size(); at += 2) {
      String[] head = records.get(at).substring(1).split(" ", -1);
      String path = records.get(at + 1);
      if (head[1].equals(NO_MODE)) {
        gone.append("0 ").append(head[3]).append('\t').append(path).append('\0');
      } else {
        there.append(head[1]).append(' ').append(head[3]).append('\t').append(path).append('\0');
      }
    }
    return gone.append(there).toString();
  }
}
