package dev.runyard.runner.backend;

import dev.runyard.core.run.Attempt;
import dev.runyard.needs.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A program in place of a CLI that records how it was started, and then runs a shell script in its
/// directory.
public abstract class FakeProgram {
  /// A command of the script that records a line of input.
  protected static final String HEAR =
      """
      : > said
      hear() { IFS= read -r heard && printf '%s\\n' "$heard" >> said; }
      """;

  private final Path directory;
  private final Path program;

  /// @param name of the program's file
  protected FakeProgram(Path directory, String name, String script) throws IOException {
    this.directory = directory;
    this.program = directory.resolve(name);
    Program.write(
        program,
        """
        #!/bin/sh
        started='%s'
        printf '%%s\\n' "$@" > "$started/argv"
        env -0 > "$started/env"
        pwd > "$started/pwd"
        """
                .formatted(directory)
            + script);
  }

  public Path program() {
    return program;
  }

  public List<String> argv() throws IOException {
    return Files.readAllLines(directory.resolve("argv"));
  }

  /// Its recorded input.
  public List<String> said() throws IOException {
    return Files.readAllLines(directory.resolve("said"));
  }

  /// Its environment variables, without those a shell sets itself.
  public Map<String, String> environment() throws IOException {
    Map<String, String> environment = new TreeMap<>();
    for (String variable : text("env").split("\0", -1)) {
      if (!variable.isEmpty()) {
        int equals = variable.indexOf('=');
        environment.put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }
    environment.keySet().removeAll(List.of("PWD", "OLDPWD", "_", "SHLVL"));
    return environment;
  }

  public Path workingDir() throws IOException {
    return Path.of(text("pwd").strip());
  }

  /// A file that the script wrote.
  protected final String text(String file) throws IOException {
    return Files.readString(directory.resolve(file));
  }

  /// The end of a script that ends like a recorded process.
  ///
  /// @param success what it does if that exited with 0
  protected static String end(Attempt.Exit exit, String success) {
    return exit.signal() == null
        ? Integer.valueOf(0).equals(exit.code()) ? success : "exit " + exit.code()
        : "kill -" + exit.signal() + " $$";
  }

  /// Writes a recorded process's output into the directory, as `lines.jsonl` and `stderr.txt`.
  protected static void write(Path directory, Recording recording) throws IOException {
    Files.write(directory.resolve("lines.jsonl"), recording.lines());
    Files.writeString(directory.resolve("stderr.txt"), recording.stderr());
  }
}
