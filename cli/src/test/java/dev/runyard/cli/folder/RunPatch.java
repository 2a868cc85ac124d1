package dev.runyard.cli.folder;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// The patch of a run that began with packed files, as a runner makes it: without regard to
/// attributes.
final class RunPatch {
  private RunPatch() {}

  /// What a run does with its copy of the files.
  @FunctionalInterface
  interface Change {
    void to(Path copy) throws Exception;
  }

  /// @param temporary where the patch is made
  static Path of(PackedFolder packed, Path temporary, Change change) throws Exception {
    Path copy = Files.createTempDirectory(temporary, "copy");
    for (String path : packed.state().keySet()) {
      Path to = copy.resolve(path);
      Files.createDirectories(to.resolveSibling("."));
      Files.copy(
          packed.folder().resolve(path),
          to,
          StandardCopyOption.COPY_ATTRIBUTES,
          LinkOption.NOFOLLOW_LINKS);
    }
    GitCalls.git(copy, "init", "--quiet");
    Files.createDirectories(copy.resolve(".git/info"));
    Files.writeString(copy.resolve(".git/info/attributes"), "* -text\n");
    GitCalls.git(copy, "add", "--all", "--force");
    GitCalls.git(copy, "commit", "--quiet", "-m", "base");
    change.to(copy);
    GitCalls.git(copy, "add", "--all", "--force");
    Path patch = temporary.resolve("run.patch");
    GitCalls.git(
        copy,
        "diff",
        "--cached",
        "--binary",
        "--full-index",
        "--find-renames",
        "--output=" + patch,
        "HEAD");
    return patch;
  }
}
