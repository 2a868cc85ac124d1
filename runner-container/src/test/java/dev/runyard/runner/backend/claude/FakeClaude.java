package dev.runyard.runner.backend.claude;

import dev.runyard.core.run.Attempt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A program in the place of Claude Code that writes down how it was started and what it was told.
public final class FakeClaude {
  private final Path directory;
  private final Path program;

  private FakeClaude(Path directory) {
    this.directory = directory;
    this.program = directory.resolve("claude");
  }

  /// Prints what Claude Code once printed, waits for an answer behind each request, and ends as it
  /// then ended once nothing more is said to it.
  public static FakeClaude playing(Path directory, String name) throws IOException {
    Recording recording = Recording.named(name);
    Path lines = Files.write(directory.resolve("lines.jsonl"), recording.lines());
    Path stderr = Files.writeString(directory.resolve("stderr.txt"), recording.stderr());
    return running(
        directory,
        """
        hear
        while IFS= read -r line <&3; do
          printf '%%s\\n' "$line"
          case "$line" in '{"type":"control_request"'*) hear ;; esac
        done 3< '%s'
        cat '%s' >&2
        %s
        """
            .formatted(lines, stderr, end(recording.exit())));
  }

  private static String end(Attempt.Exit exit) {
    return exit.signal() == null
        ? Integer.valueOf(0).equals(exit.code()) ? "cat >> said" : "exit " + exit.code()
        : "kill -" + exit.signal() + " $$";
  }

  /// Runs a shell script once it has written down how it was started. `hear` reads a line of what
  /// it is told, `init` prints the line a turn begins with, `result` the line one ends with.
  public static FakeClaude running(Path directory, String script) throws IOException {
    FakeClaude fake = new FakeClaude(directory);
    Files.writeString(
        fake.program,
        """
        #!/bin/sh
        printf '%%s\\n' "$@" > '%1$s/argv'
        env -0 > '%1$s/env'
        pwd > '%1$s/pwd'
        cd '%1$s'
        : > said
        hear() { IFS= read -r heard && printf '%%s\\n' "$heard" >> said; }
        init() { echo '{"type":"system","subtype":"init","session_id":"s-1","model":"m"}'; }
        result() { echo '{"type":"result","subtype":"success","is_error":false}'; }
        %2$s
        """
            .formatted(directory, script));
    if (!fake.program.toFile().setExecutable(true)) {
      throw new IOException("cannot make the program executable");
    }
    return fake;
  }

  public Path program() {
    return program;
  }

  List<String> argv() throws IOException {
    return Files.readAllLines(directory.resolve("argv"));
  }

  /// The lines it was told.
  List<String> said() throws IOException {
    return Files.readAllLines(directory.resolve("said"));
  }

  /// The variables it had, without those a shell makes for itself.
  Map<String, String> environment() throws IOException {
    Map<String, String> environment = new TreeMap<>();
    for (String variable : Files.readString(directory.resolve("env")).split("\0", -1)) {
      if (!variable.isEmpty()) {
        int equals = variable.indexOf('=');
        environment.put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }
    environment.keySet().removeAll(List.of("PWD", "OLDPWD", "_", "SHLVL"));
    return environment;
  }

  Path workingDir() throws IOException {
    return Path.of(Files.readString(directory.resolve("pwd")).strip());
  }
}
