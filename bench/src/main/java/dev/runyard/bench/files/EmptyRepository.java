package dev.runyard.bench.files;

import dev.runyard.runner.checkout.Origin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A git directory with nothing but the empty tree, as a run has it that began with no files.
final class EmptyRepository {
  private EmptyRepository() {}

  static Origin in(Path folder, Path workspace) throws IOException, InterruptedException {
    Path git = folder.resolve("git");
    git(git, "init", "-q", "--bare", "--template=");
    return new Origin(git, git(git, "hash-object", "-w", "-t", "tree", "--stdin"), workspace);
  }

  private static String git(Path directory, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "--git-dir=" + directory));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("git failed");
    }
    return printed.strip();
  }
}
