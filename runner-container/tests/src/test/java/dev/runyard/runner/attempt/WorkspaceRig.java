package dev.runyard.runner.attempt;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.CommandTemplate;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.command.CommandBackend;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Runs of an agent that is a shell and whose prompt is its script, with repositories of a server.
final class WorkspaceRig implements AutoCloseable {
  static final String SECRET = "canary-of-the-credential";

  final RunnerRig runner;
  final GitServer server;
  final Repository repository;
  private final Path work;
  private final Attempts attempts;

  /// @param runner works in `work`
  WorkspaceRig(Path folder, Path work, RunnerRig runner) {
    this.runner = runner;
    this.work = work;
    Path served = folder.resolve("served");
    this.server = new GitServer(served);
    this.repository = Repository.create(served.resolve("shop"));
    AgentSettings settings =
        AgentSettings.parse(
            """
            {"agents": {"shell": {"program": "/bin/sh", "command": {},
              "request_env": ["WISH"], "secrets": {"GIT": "env:GIT_TOKEN"},
              "git_hosts": ["%s"]}}}
            """
                .formatted(server.host()),
            AgentCatalog.builtIn());
    this.attempts =
        runner.attempts(
            new AgentGateway(
                List.of(new CommandBackend((CommandTemplate) settings.described().getFirst()))),
            settings,
            Map.of("PATH", System.getenv("PATH"), "GIT_TOKEN", SECRET));
  }

  WorkspaceSource.Git source() {
    return WorkspaceSource.Git.of(server.url("shop"), null);
  }

  WorkspaceSource.Git withSecret() {
    return new WorkspaceSource.Git(server.url("shop"), null, 1, List.of(), false, false, "GIT");
  }

  WorkspaceRequest setup(int seconds, String... commands) {
    return WorkspaceRequest.of(source(), List.of(commands), seconds, List.of(), false);
  }

  RunKey submit(String script, @Nullable WorkspaceRequest workspace) {
    return runner.submit("shell", script, workspace, Map.of("WISH", "granted"));
  }

  /// Submits a run that starts in a folder of its files.
  RunKey submitIn(String workingDir, String script, WorkspaceRequest workspace) {
    return runner.submit("shell", script, workspace, workingDir, Map.of());
  }

  /// Runs the next attempt to its end.
  void work() throws InterruptedException {
    attempts.work(runner.queue.receive(1, 0).getFirst());
  }

  Attempts attempts() {
    return attempts;
  }

  /// What the agent printed.
  String said(RunKey run) {
    return events(run, RunEvent.ModelDelta.class).stream()
        .map(RunEvent.ModelDelta::text)
        .collect(Collectors.joining());
  }

  <T extends RunEvent> List<T> events(RunKey run, Class<T> type) {
    return runner.events(run).stream()
        .map(StoredEvent::event)
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  /// The code of the last attempt's failure.
  String failure(RunKey run) {
    return events(run, RunEvent.AttemptFailed.class).getLast().error().code();
  }

  /// What the attempts left.
  List<String> left() throws IOException {
    try (Stream<Path> files = Files.walk(work, 2)) {
      return files
          .filter(file -> work.relativize(file).getNameCount() == 2)
          .map(file -> work.relativize(file).toString())
          .toList();
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
