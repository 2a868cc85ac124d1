package dev.runyard.bench.stack;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.client.NewRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/// A shell script in the place of the Codex CLI. It costs next to nothing, prints lines at times
/// that are asked for, and says in each line when it was printed.
public final class StandIn {
  private static final String SCRIPT = "stand-in.sh";
  private static final String ATTACK = "attack.sh";

  private StandIn() {}

  /// Writes the script and the agents file that names it; returns the latter.
  public static Path install(Path folder) throws IOException {
    Path script = copied(SCRIPT, folder);
    copied(ATTACK, folder);
    Path agents = folder.resolve("agents.json");
    Files.write(
        agents,
        JsonMapper.builder()
            .build()
            .writeValueAsBytes(
                Map.of("agents", Map.of("codex", Map.of("program", script.toString())))));
    return agents;
  }

  private static Path copied(String name, Path folder) throws IOException {
    Path script = folder.resolve(name);
    try (InputStream in = StandIn.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the resource " + name + " is missing");
      }
      Files.copy(in, script);
    }
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return script;
  }

  /// A run that does to its neighbours what it can.
  ///
  /// @param port of the stack, which it may know
  public static NewRun attack(String name, int port, int seconds) {
    return NewRun.of("codex", "attack %s %d %d".formatted(name, port, seconds));
  }

  /// A run of `count` lines of one event each.
  public static NewRun lines(int count, double pauseSeconds, int holdSeconds) {
    return run("lines", count, pauseSeconds, holdSeconds);
  }

  /// A run of `count` steps of five events each: a thought, a message, a command and its result.
  public static NewRun steps(int count, double pauseSeconds, int holdSeconds) {
    return run("steps", count, pauseSeconds, holdSeconds);
  }

  private static NewRun run(String shape, int count, double pauseSeconds, int holdSeconds) {
    return NewRun.of("codex", "%s %d %s %d".formatted(shape, count, pauseSeconds, holdSeconds));
  }
}
