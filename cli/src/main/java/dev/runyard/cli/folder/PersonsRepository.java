package dev.runyard.cli.folder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The working tree of a person's repository. Edited in it is what is not committed.
///
/// @param root where its paths begin
public record PersonsRepository(Path root) implements FolderPatch.Edits {
  /// The one that a folder is in; empty if it is in none.
  public static Optional<PersonsRepository> around(Path folder)
      throws IOException, InterruptedException {
    PersonsGit.Ran top = new PersonsGit(folder).run("rev-parse", "--show-toplevel");
    return top.well()
        ? Optional.of(new PersonsRepository(Path.of(top.text().replaceFirst("\n$", ""))))
        : Optional.empty();
  }

  /// True if it has this commit.
  public boolean has(String commit) throws IOException, InterruptedException {
    return new PersonsGit(root)
        .run("cat-file", "-e", "--end-of-options", commit + "^{commit}")
        .well();
  }

  @Override
  public List<String> among(Set<String> paths) throws IOException, InterruptedException {
    PersonsGit.Ran ran =
        new PersonsGit(root)
            .run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all");
    if (!ran.well()) {
      throw new IOException("git does not say what is edited: " + ran.said());
    }
    Set<String> edited = new TreeSet<>();
    for (String record : new String(ran.printed(), StandardCharsets.UTF_8).split("\0", -1)) {
      if (record.length() > 3) {
        edited.add(record.substring(3));
      }
    }
    edited.retainAll(paths);
    return new ArrayList<>(edited);
  }
}
