package dev.runyard.local.embedded;

import dev.runyard.aws.Settings;
import dev.runyard.local.PrivateFolder;
import dev.runyard.local.emulator.TaskTemplate;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.process.ProcessLauncher;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Where runners work on this machine.
///
/// @param template what their container is given on AWS
/// @param folder of its volumes and their logs
/// @param inherited the variables every runner gets in addition, such as `PATH`
/// @param processes starts their agents
/// @param isolation keeps these apart
record RunnerPlace(
    TaskTemplate template,
    Path folder,
    Map<String, String> inherited,
    ProcessLauncher processes,
    Isolation isolation) {

  /// Makes the folders.
  RunnerPlace {
    inherited = Map.copyOf(inherited);
    try {
      PrivateFolder.at(logs(folder));
      for (String volume : template.declaration().mounts().values()) {
        Files.createDirectories(folder.resolve(volume));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make " + folder, e);
    }
  }

  /// The variables of the runner of a claimed slot.
  Map<String, String> variables(int slot, String claim) {
    Map<String, String> variables = new HashMap<>(inherited);
    variables.putAll(
        template.environment(
            folder, Map.of(Settings.SLOT, Integer.toString(slot), Settings.SLOT_CLAIM, claim)));
    return variables;
  }

  /// A new log, a file named after the task.
  PrintStream log(String task) throws IOException {
    return new PrintStream(
        new FileOutputStream(logs(folder).resolve(task + ".log").toFile(), true),
        true,
        StandardCharsets.UTF_8);
  }

  private static Path logs(Path folder) {
    return folder.resolve("logs");
  }
}
