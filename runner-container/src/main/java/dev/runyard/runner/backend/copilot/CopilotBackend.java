package dev.runyard.runner.backend.copilot;

import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.cli.PromptedCli;
import dev.runyard.runner.backend.cli.SessionFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// GitHub's Copilot CLI, as `copilot --output-format json`.
public final class CopilotBackend extends PromptedCli {
  private static final Path SESSIONS = Path.of(".copilot", "session-state");
  private static final String WORKSPACE = "workspace.yaml";

  public CopilotBackend() {
    super("copilot");
  }

  @Override
  public List<Path> sessionState() {
    return List.of(SESSIONS);
  }

  @Override
  protected Started prepare(CliLaunch launch) throws IOException {
    CopilotSetup.login(launch);
    List<String> argv = launch.argv("copilot");
    argv.addAll(List.of("--output-format", "json", "--no-color", "--no-auto-update"));
    argv.addAll(List.of("--no-ask-user", "--no-remote"));
    argv.addAll(CopilotSetup.modelArguments(launch));
    switch (launch.approval()) {
      case NONE -> {}
      case EDITS -> argv.add("--allow-tool=write");
      case ALL -> argv.addAll(List.of("--allow-all-tools", "--allow-all-paths"));
    }
    resumed(launch).ifPresent(id -> argv.add("--resume=" + id));
    return new Started(
        argv, CopilotSetup.environment(launch), new CopilotStream(launch.callPrefix()));
  }

  /// It would continue in the folder in which the conversation began.
  private static Optional<String> resumed(CliLaunch launch) throws IOException {
    Path sessions = launch.context().home().resolve(SESSIONS);
    Path workspace =
        switch (launch.resume()) {
          case SessionChoice.Fresh _ -> null;
          case SessionChoice.Last _ -> SessionFiles.required(sessions, WORKSPACE);
          case SessionChoice.ById(String id, _) ->
              SessionFiles.required(sessions.resolve(id), WORKSPACE);
        };
    if (workspace == null) {
      return Optional.empty();
    }
    String folder = "cwd: " + launch.request().workingDir();
    Files.write(
        workspace,
        Files.readAllLines(workspace).stream()
            .map(line -> line.startsWith("cwd: ") ? folder : line)
            .toList());
    return Optional.of(String.valueOf(Objects.requireNonNull(workspace.getParent()).getFileName()));
  }
}
