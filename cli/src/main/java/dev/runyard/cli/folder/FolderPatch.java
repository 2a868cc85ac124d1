package dev.runyard.cli.folder;

import dev.runyard.runner.files.Removal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Applies a run's patch to a person's files, and to no index. All of it or nothing, without marks
/// of conflicts; and never over what the person has edited without saying so.
///
/// If the patch does not fit the files as they are, it is merged: three ways, with the files that
/// it was made on, where the repository has those. Git works in a git directory of this class's
/// own, in which no hook and no setting of the repository has an effect.
///
/// @param folder what the patch's paths are relative to
/// @param edits knows what the person has edited
/// @param converted whether the patch has the files as the repository stores them, which its
///   attributes may want otherwise in the folder; else it has the folder's own bytes
public record FolderPatch(Path folder, Edits edits, boolean converted) {
  private static final String AS_THEY_ARE = "* -text -ident -filter -working-tree-encoding\n";

  /// What became of a patch.
  public sealed interface Applied {
    /// All of it is applied.
    ///
    /// @param edited files of it that the person has edited, at other places
    /// @param merged whether it had to be merged
    record Done(int files, List<String> edited, boolean merged) implements Applied {}

    /// Nothing is applied, because the person has edited the same places.
    record Conflict(List<String> edited) implements Applied {}

    /// Nothing is applied.
    ///
    /// @param said by git
    record Refused(String said) implements Applied {}
  }

  /// Knows which of some files the person has edited.
  @FunctionalInterface
  public interface Edits {
    /// Those of them that are.
    List<String> among(Set<String> paths) throws IOException, InterruptedException;
  }

  /// Applies it.
  ///
  /// @param patch a file
  /// @param renamed paths that files of the patch had before
  public Applied apply(Path patch, Set<String> renamed) throws IOException, InterruptedException {
    Path scratch = Files.createTempDirectory("runyard-apply");
    try {
      PersonsGit git = new PersonsGit(folder);
      List<String> own = own(git, scratch);
      PersonsGit.Ran made = git.run(own.getFirst(), "init", "--quiet", "--bare", "--template=");
      if (!made.well()) {
        return new Applied.Refused(made.said());
      }
      Path info = Files.createDirectories(scratch.resolve("git/info"));
      if (!converted) {
        Files.writeString(info.resolve("attributes"), AS_THEY_ARE);
      }
      PersonsGit.Ran counted = git.run(apply(own, "--numstat", "-z", patch.toString()));
      if (!counted.well()) {
        return new Applied.Refused(counted.said());
      }
      Set<String> touched = touched(counted.text());
      int files = touched.size();
      touched.addAll(renamed);
      List<String> edited = edits.among(touched);
      PersonsGit.Ran checked = git.run(apply(own, "--check", patch.toString()));
      boolean fits = checked.well();
      Path fitting = fits ? patch : merged(git, own, scratch, patch, touched);
      PersonsGit.Ran applied =
          fits || Files.exists(fitting) ? git.run(apply(own, fitting.toString())) : checked;
      if (applied.well()) {
        return new Applied.Done(files, edited, !fits);
      }
      return edited.isEmpty() ? new Applied.Refused(applied.said()) : new Applied.Conflict(edited);
    } finally {
      Removal.of(scratch);
    }
  }

  /// What makes the merged files of those that are there; a file that is not made if they conflict.
  private Path merged(
      PersonsGit git, List<String> own, Path scratch, Path patch, Set<String> touched)
      throws IOException, InterruptedException {
    Path fitting = scratch.resolve("merged.patch");
    PersonsGit.Ran objects =
        git.run("rev-parse", "--path-format=absolute", "--git-path", "objects");
    if (!objects.well()) {
      return fitting;
    }
    Path alternates = Files.createDirectories(scratch.resolve("git/objects/info"));
    Files.writeString(alternates.resolve("alternates"), objects.text());
    Path there = scratch.resolve("there");
    Files.writeString(there, there(touched));
    List<String> add =
        command(
            own,
            "--literal-pathspecs",
            "add",
            "--force",
            "--pathspec-file-nul",
            "--pathspec-from-file=" + there);
    if (Files.size(there) > 0 && !git.run(add).well()) {
      return fitting;
    }
    PersonsGit.Ran before = git.run(command(own, "write-tree"));
    if (!git.run(apply(own, "--3way", "--cached", patch.toString())).well()) {
      return fitting;
    }
    PersonsGit.Ran after = git.run(command(own, "write-tree"));
    PersonsGit.Ran difference =
        git.run(
            command(
                own,
                "diff-tree",
                "-p",
                "-r",
                "--binary",
                "--full-index",
                "--no-ext-diff",
                "--no-textconv",
                "--src-prefix=a/",
                "--dst-prefix=b/",
                before.text().strip(),
                after.text().strip()));
    if (difference.well() && difference.printed().length > 0) {
      Files.write(fitting, difference.printed());
    }
    return fitting;
  }

  /// Those of the paths that can be merged: what is behind a link or no file is not looked at.
  private String there(Set<String> touched) {
    StringBuilder paths = new StringBuilder();
    for (String path : touched) {
      Path file = folder.resolve(path).normalize();
      if (file.startsWith(folder)
          && (Files.isSymbolicLink(file) || Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))) {
        paths.append(path).append('\0');
      }
    }
    return paths.toString();
  }

  /// What comes before each command.
  private List<String> own(PersonsGit git, Path scratch) throws IOException, InterruptedException {
    List<String> own =
        new ArrayList<>(
            List.of(
                "--git-dir=" + scratch.resolve("git"),
                "--work-tree=" + folder,
                "-c",
                "apply.ignoreWhitespace=no",
                "-c",
                "core.hooksPath=/dev/null",
                "-c",
                "core.fsmonitor=false"));
    if (!converted) {
      own.addAll(List.of("-c", "core.autocrlf=false"));
      return own;
    }
    for (String setting : List.of("core.autocrlf", "core.eol")) {
      PersonsGit.Ran is = git.run("config", "--get", setting);
      if (is.well()) {
        own.addAll(List.of("-c", setting + "=" + is.text().strip()));
      }
    }
    return own;
  }

  private static List<String> apply(List<String> own, String... arguments) {
    List<String> all = command(own, "apply", "--whitespace=nowarn");
    all.addAll(List.of(arguments));
    return all;
  }

  private static List<String> command(List<String> own, String... arguments) {
    List<String> all = new ArrayList<>(own);
    all.addAll(List.of(arguments));
    return all;
  }

  /// Two counts come before each path.
  private static Set<String> touched(String counted) {
    Set<String> paths = new TreeSet<>();
    for (String record : counted.split("\0", -1)) {
      String[] parts = record.split("\t", 3);
      if (parts.length == 3) {
        paths.add(parts[2]);
      }
    }
    return paths;
  }
}
