package dev.runyard.runner.attempt;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.CommandTemplate;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.Publication;
import dev.runyard.core.event.PublishNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.PublishRequest;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.needs.Program;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.command.CommandBackend;
import dev.runyard.testkit.git.ForgeServer;
import dev.runyard.testkit.git.GitHubServer;
import dev.runyard.testkit.git.GitLabServer;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Runs of an agent that is a shell, whose changes are published to a repository with an API for
/// pull requests.
final class PublishRig implements AutoCloseable {
  static final String SECRET = "canary-of-the-credential";
  static final String NAME = "octo/shop";

  final RunnerRig runner;
  final GitServer server;
  final Repository repository;
  final ForgeServer forge;
  private final Attempts attempts;

  /// What takes pull requests.
  enum Kind {
    GITHUB,
    GITLAB
  }

  PublishRig(Path folder, Kind kind) throws IOException {
    this(folder, kind, new RunnerRig(work(folder)));
  }

  private PublishRig(Path folder, Kind kind, RunnerRig runner) throws IOException {
    this(folder, kind, runner, runner.artifacts);
  }

  /// The same with attempts whose calls of the bucket pass another store.
  ///
  /// @param store leads to the runner's artifacts
  PublishRig(Path folder, Kind kind, RunnerRig runner, ArtifactStore store) throws IOException {
    this.runner = runner;
    Path served = folder.resolve("served");
    this.server = new GitServer(served);
    this.repository = Repository.create(served.resolve(NAME));
    repository.git("config", "http.receivepack", "true");
    repository.git("config", "receive.denyCurrentBranch", "ignore");
    repository.commit("a", "1\n");
    server.wants("x-access-token:" + SECRET);
    this.forge =
        switch (kind) {
          case GITHUB -> new GitHubServer(repository, NAME, SECRET);
          case GITLAB -> new GitLabServer(repository, NAME, SECRET);
        };
    AgentSettings settings =
        AgentSettings.parse(
            """
            {"agents": {"shell": {"program": "/bin/sh", "command": {},
              "secrets": {"GIT": "env:GIT_TOKEN", "NONE": "env:NOWHERE"},
              "git_hosts": ["%s"], "git_forges": {"%s": %s}}}}
            """
                .formatted(server.host(), server.host(), forge.setting()),
            AgentCatalog.builtIn());
    this.attempts =
        runner.impatient(
            new AgentGateway(
                List.of(new CommandBackend((CommandTemplate) settings.described().getFirst()))),
            settings,
            Map.of("PATH", System.getenv("PATH"), "GIT_TOKEN", SECRET),
            store);
  }

  /// The folder in which a runner works.
  static Path work(Path folder) throws IOException {
    return Files.createDirectories(folder.toRealPath().resolve("work"));
  }

  static PublishRequest branch(String name) {
    return new PublishRequest(name, "Add b\n\nBecause.", true, null, "GIT", null, null);
  }

  static PublishRequest pull(String name) {
    return new PublishRequest(
        name,
        "Add b\n\nBecause.",
        true,
        new PublishRequest.PullRequest(null, "Text", null, true),
        "GIT",
        new PublishRequest.Author("A Person", "a@example.org"),
        null);
  }

  /// The same for a run that need not know where its session's files come from.
  static PublishRequest session(String name) {
    return pull(name).with(null);
  }

  Attempts attempts() {
    return attempts;
  }

  /// A run that changes something, to its end.
  RunKey ran(String script, @Nullable PublishRequest how) throws InterruptedException {
    return begun(script, WorkspaceRequest.of(source()).publishing(how));
  }

  /// The next run of the session.
  RunKey continued(String script, @Nullable PublishRequest how) throws InterruptedException {
    return begun(script, WorkspaceRequest.of(new WorkspaceSource.Session()).publishing(how));
  }

  RunKey begun(String script, WorkspaceRequest workspace) throws InterruptedException {
    RunKey run = runner.submit("shell", script, workspace, Map.of());
    work();
    return run;
  }

  /// Queues a run that publishes what another one changed.
  RunKey publish(RunKey of, PublishRequest how) {
    return runner.submit(
        "shell",
        "publish",
        WorkspaceRequest.of(source()).at(base(of)).publishing(how.of(of)),
        Map.of());
  }

  RunKey published(RunKey of, PublishRequest how) throws InterruptedException {
    RunKey run = publish(of, how);
    work();
    return run;
  }

  /// Runs the next attempt to its end.
  void work() throws InterruptedException {
    attempts.work(runner.queue.receive(1, 0).getFirst());
  }

  Publication publication(RunKey run) {
    return new KeptChanges(runner.artifacts).findPublication(run).orElseThrow();
  }

  /// The code of why it was not published.
  String code(RunKey run) {
    Failure error = publication(run).error();
    return error == null ? "" : error.code();
  }

  <T extends RunEvent> List<T> events(RunKey run, Class<T> type) {
    return runner.events(run).stream()
        .map(StoredEvent::event)
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  PublishNotice.JobCompleted told(RunKey run) {
    return events(run, PublishNotice.JobCompleted.class).getFirst();
  }

  String tip(String branch) {
    return repository.git("for-each-ref", "--format=%(objectname)", "refs/heads/" + branch);
  }

  /// Refuses pushes as a server with a protected branch does.
  void protects(String branch) {
    hook("while read o n r; do test $r != refs/heads/" + branch + " || exit 1; done");
  }

  /// Runs a script before a push takes effect.
  void hook(String script) {
    try {
      Path hook = repository.path().resolve(".git/hooks/pre-receive");
      Files.createDirectories(Objects.requireNonNull(hook.getParent()));
      Program.write(hook, "#!/bin/sh\n" + script + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.close();
    forge.close();
  }

  private WorkspaceSource.Git source() {
    return new WorkspaceSource.Git(server.url(NAME), null, 1, List.of(), false, false, "GIT");
  }

  private @Nullable String base(RunKey of) {
    return events(of, WorkspaceNotice.ContextResolved.class).getFirst().commit();
  }
}
