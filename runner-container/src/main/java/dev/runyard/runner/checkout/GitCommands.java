package dev.runyard.runner.checkout;

import dev.runyard.core.request.GitAddress;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.Line;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Stdin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Runs git so that nothing but what is said here decides what it does: no settings of machine or
/// user, no hooks, no prompts, no protocol but the address's, no redirects, no templates.
///
/// @param program its path
/// @param folder of the runner's own, empty at first: the home and working directory of git
/// @param variables of the runner
/// @param processes start it, its memory bounded
/// @param steps run it
public record GitCommands(
    Path program,
    Path folder,
    Map<String, String> variables,
    ProcessLauncher processes,
    RunMark mark,
    PreparationSteps steps) {
  /// The runner's variables by which programs find their way out and whom to trust.
  private static final Set<String> KEPT =
      Set.of(
          "PATH",
          "HTTPS_PROXY",
          "https_proxy",
          "NO_PROXY",
          "no_proxy",
          "SSL_CERT_FILE",
          "SSL_CERT_DIR",
          "GIT_SSL_CAINFO");

  /// What git complains of that harms nobody, in repositories that are old.
  private static final List<String> HARMLESS =
      List.of(
          "badDate",
          "badDateOverflow",
          "badEmail",
          "badName",
          "badTimezone",
          "missingEmail",
          "missingNameBeforeEmail",
          "missingSpaceBeforeDate",
          "missingSpaceBeforeEmail",
          "missingTaggerEntry",
          "zeroPaddedDate",
          "zeroPaddedFilemode");

  private static final String NOWHERE = "/dev/null";

  /// The folder that git keeps its objects in.
  public Path directory() {
    return folder.resolve("git");
  }

  /// A command without connection.
  PreparationSteps.Ended local(
      Duration atMost, Consumer<String> lines, BooleanSupplier tooMuch, String... args)
      throws InterruptedException {
    return local(new Stdin.Closed(), atMost, lines, tooMuch, args);
  }

  /// A command without connection that reads something.
  PreparationSteps.Ended local(
      Stdin stdin, Duration atMost, Consumer<String> lines, BooleanSupplier tooMuch, String... args)
      throws InterruptedException {
    return run(settings("none"), Map.of(), stdin, atMost, lines, tooMuch, args);
  }

  /// The same in a folder within this one.
  GitCommands within(String name) throws IOException {
    Path inner = Files.createDirectory(folder.resolve(name));
    return new GitCommands(program, inner, variables, processes, mark, steps);
  }

  /// A command without connection, with variables of its own.
  public PreparationSteps.Ended local(
      Map<String, String> own, Duration atMost, Consumer<String> lines, String... args)
      throws InterruptedException {
    return run(settings("none"), own, new Stdin.Closed(), atMost, lines, () -> false, args);
  }

  /// A command that speaks to a server.
  public PreparationSteps.Ended remote(
      GitAddress address,
      GitAccess access,
      Duration atMost,
      Consumer<String> lines,
      BooleanSupplier tooMuch,
      String... args)
      throws InterruptedException {
    Map<String, String> settings = settings(address.scheme());
    settings.putAll(access.settings());
    return run(settings, access.variables(), new Stdin.Closed(), atMost, lines, tooMuch, args);
  }

  /// How much there is of what servers have sent.
  public long bytes() {
    try (Stream<Path> files = Files.walk(directory())) {
      return files.mapToLong(GitCommands::size).sum();
    } catch (IOException | UncheckedIOException _) {
      return 0;
    }
  }

  /// What git has removed meanwhile has no size.
  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException _) {
      return 0;
    }
  }

  private PreparationSteps.Ended run(
      Map<String, String> settings,
      Map<String, String> more,
      Stdin stdin,
      Duration atMost,
      Consumer<String> lines,
      BooleanSupplier tooMuch,
      String... args)
      throws InterruptedException {
    List<String> argv = new ArrayList<>(List.of(program.toString(), "--git-dir=" + directory()));
    argv.addAll(List.of(args));
    Map<String, String> environment = environment(settings);
    environment.putAll(more);
    return steps.run(
        processes,
        new AgentCommand(argv, folder, environment, stdin),
        mark,
        atMost,
        new PreparationSteps.Watch() {
          @Override
          public void line(Line line) {
            switch (line) {
              case Line.Text(String text, boolean _) -> lines.accept(text);
              case Line.Oversize(String preview, long _) -> lines.accept(preview);
            }
          }

          @Override
          public boolean tooMuch() {
            return tooMuch.getAsBoolean();
          }
        });
  }

  private Map<String, String> environment(Map<String, String> settings) {
    Map<String, String> environment = new TreeMap<>(variables);
    environment.keySet().retainAll(KEPT);
    environment.put("HOME", folder.toString());
    environment.put("LC_ALL", "C");
    environment.put("GIT_CONFIG_NOSYSTEM", "1");
    environment.put("GIT_CONFIG_GLOBAL", NOWHERE);
    environment.put("GIT_ATTR_NOSYSTEM", "1");
    environment.put("GIT_TERMINAL_PROMPT", "0");
    environment.put("GIT_ASKPASS", "");
    environment.put("SSH_ASKPASS", "");
    environment.put("GIT_NO_REPLACE_OBJECTS", "1");
    environment.put("GIT_PROTOCOL_FROM_USER", "0");
    environment.put("GIT_CONFIG_COUNT", String.valueOf(settings.size()));
    int i = 0;
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      environment.put("GIT_CONFIG_KEY_" + i, setting.getKey());
      environment.put("GIT_CONFIG_VALUE_" + i, setting.getValue());
      i++;
    }
    return environment;
  }

  private static Map<String, String> settings(String scheme) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("core.hooksPath", NOWHERE);
    settings.put("core.attributesFile", NOWHERE);
    settings.put("core.excludesFile", NOWHERE);
    settings.put("core.fsmonitor", "false");
    settings.put("core.logAllRefUpdates", "false");
    settings.put("core.symlinks", "true");
    settings.put("core.protectHFS", "true");
    settings.put("core.protectNTFS", "true");
    settings.put("core.autocrlf", "false");
    settings.put("core.bigFileThreshold", "16m");
    settings.put("core.sparseCheckoutCone", "false");
    settings.put("protocol.allow", "never");
    settings.put("protocol." + scheme + ".allow", "always");
    settings.put("http.followRedirects", "false");
    settings.put("http.lowSpeedLimit", "1000");
    settings.put("http.lowSpeedTime", "60");
    settings.put("credential.helper", "");
    settings.put("credential.interactive", "false");
    settings.put("transfer.fsckObjects", "true");
    settings.put("transfer.bundleURI", "false");
    settings.put("fetch.unpackLimit", "1");
    settings.put("fetch.recurseSubmodules", "false");
    settings.put("fetch.writeCommitGraph", "false");
    HARMLESS.forEach(what -> settings.put("fetch.fsck." + what, "ignore"));
    settings.put("submodule.recurse", "false");
    settings.put("gc.auto", "0");
    settings.put("maintenance.auto", "false");
    settings.put("advice.detachedHead", "false");
    return settings;
  }
}
