package dev.runyard.cli.folder;

import dev.runyard.runner.files.Removal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
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
/// @param program git
public record FolderPatch(Path folder, Edits edits, boolean converted, String program) {
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

    /// Nothing is applied, because something is where the patch makes a file or a folder.
    ///
    /// @param paths what it would have to remove, and does not
    record InTheWay(List<String> paths) implements Applied {}

    /// Nothing is applied.
    ///
    /// @param said by git
    record Refused(String said) implements Applied {}

    /// Nothing is applied, because another command applies a patch there.
    record Taken() implements Applied {}

    /// Nothing is applied, because an earlier command was killed while it applied a patch.
    ///
    /// @param before the files of it as they were
    /// @param folder where they were
    record Unfinished(Path before, Path folder) implements Applied {}

    /// A part of it is applied, and that could not be undone.
    ///
    /// @param said by git
    /// @param why it could not
    /// @param before the files of it as they were
    record Broken(String said, String why, Path before) implements Applied {}
  }

  /// Knows which of some files the person has edited.
  @FunctionalInterface
  public interface Edits {
    /// Those of them that are.
    List<String> among(Set<String> paths) throws IOException, InterruptedException;
  }

  public FolderPatch(Path folder, Edits edits, boolean converted) {
    this(folder, edits, converted, PersonsGit.PROGRAM);
  }

  /// Applies it.
  ///
  /// @param patch a file
  public Applied apply(Path patch) throws IOException, InterruptedException {
    Path scratch = Files.createTempDirectory("runyard-apply");
    try {
      PersonsGit git = new PersonsGit(folder, program);
      List<String> own = own(git, scratch);
      PersonsGit.Ran made = git.run(own.getFirst(), "init", "--quiet", "--bare", "--template=");
      if (!made.well()) {
        return new Applied.Refused(made.said());
      }
      Path info = Files.createDirectories(scratch.resolve("git/info"));
      if (!converted) {
        Files.writeString(info.resolve("attributes"), AS_THEY_ARE);
      }
      return switch (FilesBefore.open(folder, place(git))) {
        case FilesBefore.Opened.Taken _ -> new Applied.Taken();
        case FilesBefore.Opened.Left(Path before, Path of) -> new Applied.Unfinished(before, of);
        case FilesBefore.Opened.Ready(FilesBefore kept) -> {
          try (kept) {
            yield apply(git, own, scratch, patch, kept);
          }
        }
      };
    } finally {
      Removal.of(scratch);
    }
  }

  /// In the git directory, so that it is on the same file system and no file of the person's.
  private Path place(PersonsGit git) throws IOException, InterruptedException {
    PersonsGit.Ran repository = git.run("rev-parse", "--absolute-git-dir");
    if (repository.well()) {
      Path at = Path.of(repository.text().replaceFirst("\n$", ""));
      if (Files.isWritable(at)) {
        return at.resolve("runyard-apply");
      }
    }
    byte[] name = Fingerprint.sha256().digest(folder.toString().getBytes(StandardCharsets.UTF_8));
    return Path.of(System.getProperty("java.io.tmpdir"))
        .resolve("runyard-apply-" + HexFormat.of().formatHex(name, 0, 16));
  }

  private Applied apply(
      PersonsGit git, List<String> own, Path scratch, Path patch, FilesBefore kept)
      throws IOException, InterruptedException {
    PersonsGit.Ran counted = git.run(apply(own, "--numstat", "-z", patch.toString()));
    if (!counted.well()) {
      return new Applied.Refused(counted.said());
    }
    int files = touched(counted.text()).size();
    NavigableSet<String> touched = touched(git, own, patch);
    List<String> edited = edits.among(touched);
    PersonsGit.Ran checked = git.run(apply(own, "--check", patch.toString()));
    boolean fits = checked.well();
    Path fitting = fits ? patch : merged(git, own, scratch, patch, touched);
    if (!fits && Files.exists(fitting)) {
      touched = touched(git, own, fitting);
      checked = git.run(apply(own, "--check", fitting.toString()));
    }
    if (!checked.well()) {
      return edited.isEmpty() ? new Applied.Refused(checked.said()) : new Applied.Conflict(edited);
    }
    NavigableSet<String> obstacles = new Obstacles(folder, touched).found();
    if (!obstacles.isEmpty()) {
      return new Applied.InTheWay(List.copyOf(obstacles));
    }
    kept.keep(touched);
    return written(git, apply(own, fitting.toString()), kept)
        .orElseGet(() -> new Applied.Done(files, edited, !fits));
  }

  /// Has git write, and undoes what is half done; empty if all of it is.
  private static Optional<Applied> written(PersonsGit git, List<String> writing, FilesBefore kept)
      throws IOException, InterruptedException {
    String said;
    try {
      PersonsGit.Ran ran = git.run(writing);
      if (ran.well()) {
        return Optional.empty();
      }
      said = ran.said();
    } catch (IOException e) {
      said = e.toString();
    } catch (InterruptedException e) {
      Optional<String> why = kept.putBack();
      if (why.isPresent()) {
        return Optional.of(new Applied.Broken("it was interrupted", why.get(), kept.before()));
      }
      throw e;
    }
    String cause = said.isEmpty() ? "git ended before it was done" : said;
    Optional<String> why = kept.putBack();
    return Optional.of(
        why.isEmpty()
            ? new Applied.Refused(cause)
            : new Applied.Broken(cause, why.get(), kept.before()));
  }

  /// The names that its files have before and after it.
  private static NavigableSet<String> touched(PersonsGit git, List<String> own, Path patch)
      throws IOException, InterruptedException {
    NavigableSet<String> paths = new TreeSet<>();
    for (String direction : List.of("--no-reverse", "--reverse")) {
      PersonsGit.Ran ran = git.run(apply(own, direction, "--numstat", "-z", patch.toString()));
      if (!ran.well()) {
        throw new IOException("git does not say what the patch touches: " + ran.said());
      }
      paths.addAll(touched(ran.text()));
    }
    return paths;
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
