package dev.runyard.bench.stack;

import dev.runyard.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Starts the stacks that are measured.
///
/// @param emulated on emulators of the AWS services instead of the store made for one machine
/// @param options more arguments of `up`
public record StackLaunch(boolean emulated, List<String> options) {
  private static final String READY = "ready ";
  private static final String PORT = "--port";

  public StackLaunch {
    options = List.copyOf(options);
  }

  public StackLaunch(boolean emulated) {
    this(emulated, List.of());
  }

  /// The same with more arguments of `up`, where they are not there.
  public StackLaunch with(String... more) {
    List<String> all = new ArrayList<>(options);
    for (int i = 0; i < more.length; i += 2) {
      if (!all.contains(more[i])) {
        all.addAll(List.of(more[i], more[i + 1]));
      }
    }
    return new StackLaunch(emulated, all);
  }

  /// The same with one more option that takes no value.
  public StackLaunch withFlag(String flag) {
    List<String> all = new ArrayList<>(options);
    all.add(flag);
    return new StackLaunch(emulated, all);
  }

  public UpProcess start() throws IOException {
    return start(Optional.empty());
  }

  /// Starts a stack and waits until it is ready.
  ///
  /// @param agents how the agent CLIs are started
  public UpProcess start(Optional<Path> agents) throws IOException {
    List<String> command = new ArrayList<>(List.of(Project.launcher().toString()));
    command.addAll(up());
    agents.ifPresent(file -> command.addAll(List.of("--agents", file.toString())));
    return start(command);
  }

  /// Starts a stack on a data folder and waits until it is ready.
  public UpProcess startOn(Path data) throws IOException {
    List<String> command = new ArrayList<>(List.of(Project.launcher().toString()));
    command.addAll(up());
    command.addAll(List.of("--data", data.toString()));
    return start(command);
  }

  /// Starts a stack of the template in `home` and waits until it is ready. It comes from this
  /// process's own class path, so that nothing is built.
  public UpProcess start(Path home) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Drunyard.home=" + home,
            "-cp",
            System.getProperty("java.class.path", ""),
            Main.class.getName()));
    command.addAll(up());
    return start(command);
  }

  private UpProcess start(List<String> command) throws IOException {
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(READY)) {
        double millis = (System.nanoTime() - begin) / 1e6;
        return new UpProcess(process, URI.create(line.substring(READY.length())), millis);
      }
    }
    process.destroyForcibly();
    throw new IOException("no stack: try ./runyard up");
  }

  private List<String> up() {
    List<String> command = new ArrayList<>(List.of("up"));
    if (!options.contains(PORT)) {
      command.addAll(List.of(PORT, "0"));
    }
    if (emulated) {
      command.add("--emulated");
    }
    command.addAll(options);
    return command;
  }
}
