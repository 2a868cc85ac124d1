package dev.runyard.runner.backend.cli;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.CliRun;
import dev.runyard.runner.backend.InteractiveProtocol;
import dev.runyard.runner.backend.OutputOnly;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Stdin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A CLI that takes one prompt, prints its events and ends. Subclasses differ only in how it is
/// started and in the meaning of its lines.
///
/// The prompt goes through standard input, so it may have any length, no list of processes shows
/// it, and it cannot be taken for an option.
public abstract class PromptedCli implements AgentBackend {
  private final AgentManifest manifest;

  /// @param kind described by the manifest of a CLI
  protected PromptedCli(String kind) {
    this(AgentCatalog.builtIn().find(kind).orElseThrow());
  }

  protected PromptedCli(AgentManifest manifest) {
    this.manifest = manifest;
  }

  /// How a run is started, after its configuration was written below the home.
  protected abstract Started prepare(CliLaunch launch) throws IOException;

  /// The standard input for the prompt, unless it goes into the arguments.
  protected Stdin stdin(String prompt) {
    return Stdin.text(prompt);
  }

  /// The process of a run.
  ///
  /// @param argv the program first
  public record Started(List<String> argv, Map<String, String> env, InteractiveProtocol dialect) {
    /// A process whose output is only read.
    public Started(List<String> argv, Map<String, String> env, OutputParser dialect) {
      this(argv, env, new OutputOnly(dialect));
    }
  }

  @Override
  public final AgentManifest manifest() {
    return manifest;
  }

  @Override
  public final AgentRun start(AgentRunRequest request, BackendContext context) {
    CliLaunch launch = new CliLaunch(request, context);
    try {
      if (launch.resume() instanceof SessionChoice.Last && !hasSessions(context.home())) {
        return AgentRun.failed(CliTrouble.SESSION_NOT_FOUND.failure(manifest.title()));
      }
      launch.prepare();
      Started started = prepare(launch);
      return CliRun.start(
          context,
          new AgentCommand(
              started.argv(), request.workingDir(), started.env(), stdin(request.prompt())),
          new RunMark(request.runId(), request.attemptId()),
          started.dialect());
    } catch (SessionFiles.SessionMissing _) {
      return AgentRun.failed(CliTrouble.SESSION_NOT_FOUND.failure(manifest.title()));
    } catch (IOException _) {
      return AgentRun.homeless();
    }
  }

  private boolean hasSessions(Path home) throws IOException {
    for (Path state : sessionState()) {
      if (holdsFile(home.resolve(state))) {
        return true;
      }
    }
    return false;
  }

  private static boolean holdsFile(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.anyMatch(Files::isRegularFile);
    }
  }
}
