package dev.runyard.runner.backend.codex;

import dev.runyard.core.run.Attempt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A program in the place of Codex that writes down how it was started, prints what Codex once
/// printed, and ends as Codex then ended.
public final class FakeCodex {
  private final Path directory;
  private final Path program;

  private FakeCodex(Path directory) {
    this.directory = directory;
    this.program = directory.resolve("codex");
  }

  /// Plays the recording of that name.
  static FakeCodex playing(Path directory, String name) throws IOException {
    Recording recording = Recording.named(name);
    Path lines = Files.write(directory.resolve("lines.jsonl"), recording.lines());
    Path stderr = Files.writeString(directory.resolve("stderr.txt"), recording.stderr());
    Attempt.Exit exit = recording.exit();
    String end = exit.signal() == null ? "exit " + exit.code() : "kill -" + exit.signal() + " $$";
    return running(directory, "cat '%s'\ncat '%s' >&2\n%s".formatted(lines, stderr, end));
  }

  /// Runs a shell script once it has written down how it was started.
  public static FakeCodex running(Path directory, String script) throws IOException {
    FakeCodex fake = new FakeCodex(directory);
    Files.writeString(
        fake.program,
        """
        #!/bin/sh
        printf '%%s\\n' "$@" > '%1$s/argv'
        env -0 > '%1$s/env'
        pwd > '%1$s/pwd'
        cp "$CODEX_HOME/config.toml" '%1$s/config'
        cat > '%1$s/stdin'
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

  /// The variables it had, without those a shell makes for itself.
  public Map<String, String> environment() throws IOException {
    Map<String, String> environment = new TreeMap<>();
    for (String variable : Files.readString(directory.resolve("env")).split("\0", -1)) {
      if (variable.isEmpty()) {
        continue;
      }
      int equals = variable.indexOf('=');
      environment.put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    environment.keySet().removeAll(List.of("PWD", "OLDPWD", "_", "SHLVL"));
    return environment;
  }

  String stdin() throws IOException {
    return Files.readString(directory.resolve("stdin"));
  }

  String config() throws IOException {
    return Files.readString(directory.resolve("config"));
  }

  public Path workingDir() throws IOException {
    return Path.of(Files.readString(directory.resolve("pwd")).strip());
  }
}
