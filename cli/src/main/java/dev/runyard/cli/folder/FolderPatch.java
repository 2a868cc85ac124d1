package dev.runyard.cli.folder;

import dev.runyard.runner.files.Removal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Applies a run's patch to the folder that was packed for it. All of it or nothing; and never over
/// what the person has edited meanwhile without saying so.
///
/// @param folder in a repository, a part of one, or neither
/// @param packed what each file was
public record FolderPatch(Path folder, Map<String, Fingerprint> packed) {
  /// What became of a patch.
  public sealed interface Applied {
    /// All of it is applied.
    ///
    /// @param edited files of it that the person has edited meanwhile, at other places
    record Done(int files, List<String> edited) implements Applied {}

    /// Nothing is applied, because the person has edited the same places.
    record Conflict(List<String> edited) implements Applied {}

    /// Nothing is applied.
    ///
    /// @param said by git
    record Refused(String said) implements Applied {}
  }

  /// Applies it to the files, and to no index.
  ///
  /// @param patch a file
  /// @param renamed paths that files of the patch had before
  public Applied apply(Path patch, Set<String> renamed) throws IOException, InterruptedException {
    Path scratch = Files.createTempDirectory("runyard-apply");
    try {
      PersonsGit git = new PersonsGit(folder);
      String own = "--git-dir=" + scratch.resolve("git");
      PersonsGit.Ran made = git.run(own, "init", "--quiet", "--bare", "--template=");
      if (!made.well()) {
        return new Applied.Refused(made.said());
      }
      Path info = Files.createDirectories(scratch.resolve("git/info"));
      Files.writeString(
          info.resolve("attributes"), "* -text -ident -filter -working-tree-encoding\n");
      PersonsGit.Ran counted = git.run(apply(own, "--numstat", "-z", patch.toString()));
      if (!counted.well()) {
        return new Applied.Refused(counted.said());
      }
      Set<String> touched = touched(new String(counted.printed(), StandardCharsets.UTF_8));
      int files = touched.size();
      touched.addAll(renamed);
      List<String> edited = edited(touched);
      PersonsGit.Ran checked = git.run(apply(own, "--check", patch.toString()));
      if (!checked.well()) {
        return edited.isEmpty()
            ? new Applied.Refused(checked.said())
            : new Applied.Conflict(edited);
      }
      PersonsGit.Ran applied = git.run(apply(own, patch.toString()));
      return applied.well() ? new Applied.Done(files, edited) : new Applied.Refused(applied.said());
    } finally {
      Removal.of(scratch);
    }
  }

  private String[] apply(String own, String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of(
                own,
                "--work-tree=" + folder,
                "-c",
                "apply.ignoreWhitespace=no",
                "-c",
                "core.autocrlf=false",
                "apply",
                "--whitespace=nowarn"));
    all.addAll(List.of(arguments));
    return all.toArray(String[]::new);
  }

  private List<String> edited(Set<String> touched) throws IOException {
    List<String> edited = new ArrayList<>();
    for (String path : touched) {
      Fingerprint was = packed.getOrDefault(path, Fingerprint.ABSENT);
      if (!Fingerprint.of(folder.resolve(path)).equals(was)) {
        edited.add(path);
      }
    }
    return edited;
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
