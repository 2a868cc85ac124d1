package dev.runyard.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The working tree of a person's repository, on which a run's patch is applied. What the person
/// has changed and not committed is never written over.
record PatchedTree(Path repository) {
  /// What became of a patch.
  sealed interface Applied {
    /// All of it is applied.
    ///
    /// @param merged whether the repository was at another commit
    record Done(boolean merged) implements Applied {}

    /// Nothing was applied.
    ///
    /// @param paths files of the patch that the person has changed
    record Changed(List<String> paths) implements Applied {}

    /// Git did not apply all of it.
    ///
    /// @param said by git
    record Refused(String said) implements Applied {}
  }

  private record Ran(int status, String printed) {}

  /// Applies it to the working tree and the index.
  ///
  /// @param base the commit that it was made on
  Applied apply(byte[] patch, String base) throws IOException, InterruptedException {
    if (patch.length == 0) {
      return new Applied.Done(false);
    }
    Path file = Files.createTempFile("runyard", ".patch");
    try {
      Files.write(file, patch);
      Ran top = git(repository, "rev-parse", "--show-toplevel");
      if (top.status() != 0) {
        return new Applied.Refused(top.printed());
      }
      Path root = Path.of(top.printed().strip());
      Ran touched = git(root, "apply", "--numstat", "-z", file.toString());
      Ran dirty = git(root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all");
      if (touched.status() != 0 || dirty.status() != 0) {
        return new Applied.Refused(touched.status() != 0 ? touched.printed() : dirty.printed());
      }
      Set<String> changed = changed(dirty.printed());
      changed.retainAll(touched(touched.printed()));
      if (!changed.isEmpty()) {
        return new Applied.Changed(List.copyOf(changed));
      }
      boolean merged = !git(root, "rev-parse", "HEAD").printed().strip().equals(base);
      List<String> arguments = new ArrayList<>(List.of("apply", "--index", "--whitespace=nowarn"));
      if (merged) {
        arguments.add("--3way");
      }
      arguments.add(file.toString());
      Ran ran = git(root, arguments.toArray(String[]::new));
      return ran.status() == 0 ? new Applied.Done(merged) : new Applied.Refused(ran.printed());
    } finally {
      Files.delete(file);
    }
  }

  /// Two letters and a space come before each path.
  private static Set<String> changed(String status) {
    Set<String> paths = new TreeSet<>();
    for (String record : status.split("\0", -1)) {
      if (record.length() > 3) {
        paths.add(record.substring(3));
      }
    }
    return paths;
  }

  /// Two counts come before each path; the two paths of a renamed file stand alone.
  private static Set<String> touched(String counted) {
    Set<String> paths = new TreeSet<>();
    for (String record : counted.split("\0", -1)) {
      String[] parts = record.split("\t", 3);
      boolean counts = parts.length == 3 && parts[0].matches("-|[0-9]+");
      paths.add(counts ? parts[2] : record);
    }
    paths.remove("");
    return paths;
  }

  private static Ran git(Path in, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), printed);
  }
}
