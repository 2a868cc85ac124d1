package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.needs.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The `git` that a stack's runners find, which waits when it is told of a changed file
/// `held-while-taken`: in the middle of taking a change.
///
/// @param taking there once it waits
/// @param gate a pipe that it waits for
record HeldGit(Path taking, Path gate) {
  /// @param stack has not been started
  static HeldGit in(StackFolder stack) throws IOException, InterruptedException {
    HeldGit held = new HeldGit(stack.path().resolve("taking"), stack.path().resolve("gate"));
    assertEquals(
        0, new ProcessBuilder("mkfifo", held.gate().toString()).inheritIO().start().waitFor());
    Path program = Files.createDirectories(stack.programs()).resolve("git");
    Program.write(
        program,
        """
        #!/bin/sh
        case "$*" in
          *update-index*)
            if [ -p '%2$s' ] && grep -q held-while-taken /proc/self/fd/0; then
              : > '%1$s'
              read -r _ < '%2$s'
            fi ;;
        esac
        PATH=${PATH#*:}
        exec git "$@"
        """
            .formatted(held.taking(), held.gate()));
    return held;
  }

  boolean waits() {
    return Files.exists(taking);
  }

  /// Lets it go on; from now on it never waits.
  void release() throws IOException {
    Files.newOutputStream(gate).close();
    Files.delete(gate);
  }
}
