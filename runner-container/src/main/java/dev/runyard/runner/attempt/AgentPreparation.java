package dev.runyard.runner.attempt;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.NetworkAccess;
import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.runner.backend.AddedDirs;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.AgentSurroundings;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.EventShaper;
import dev.runyard.runner.backend.FileKeeping;
import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.backend.RunContext;
import dev.runyard.runner.change.ChangeStore;
import dev.runyard.runner.change.WorkspaceKeeping;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.isolation.Cell;
import dev.runyard.runner.network.AgentNetworks;
import dev.runyard.runner.paused.PausedFiles;
import dev.runyard.runner.workspace.WorkingDir;
import dev.runyard.runner.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/// Prepares what the agent of one attempt needs before its process starts: home, workspace, working
/// directory, session, settings. It waits for a store that does not answer, and changes nothing
/// that another attempt could continue with.
final class AgentPreparation {
  private final BucketPatience patience;
  private final AgentSetup setup;
  private final AgentAttempt of;
  private final AttemptFolders folders;
  private final Redaction redaction;
  private final AttemptSecrets secrets;
  private final Optional<SessionRestorer> memory;
  private final Optional<WorkspaceRestorer> continuity;
  private final AttemptModels models;
  private final WorkspacePreparation files;
  private final AtomicBoolean abandoned = new AtomicBoolean();

  AgentPreparation(AgentSetup given, AgentAttempt asked, AttemptFolders folders) {
    this.patience = new BucketPatience(given, asked.run());
    this.setup = given.awaiting(patience);
    AgentAttempt of = asked.in(setup);
    this.of = of;
    this.folders = folders;
    this.models = new AttemptModels(setup, of);
    this.redaction = setup.environment().redaction(of.kind(), of.request().env());
    this.secrets = setup.environment().secrets(of.kind(), redaction, setup.services().clock());
    this.files =
        new WorkspacePreparation(setup, of, folders, redaction, secrets, this::surrounding);
    this.memory =
        of.backend()
            .map(
                backend ->
                    new SessionRestorer(
                        setup
                            .stores()
                            .sessions()
                            .unless(abandoned::get)
                            .without(run -> of.base().get().isUndone(run)),
                        backend,
                        of.facts(),
                        of.attempt(),
                        redaction));
    this.continuity =
        of.backend()
            .filter(backend -> !backend.sessionState().isEmpty())
            .map(
                _ ->
                    new WorkspaceRestorer(
                        setup.stores().paused(),
                        new PausedFiles(
                            setup.stores().artifacts(), setup.services().clock(), of.run()),
                        of.attempt(),
                        setup.folders().workspaces(),
                        redaction));
  }

  /// The agent's session files; empty if no backend runs such agents.
  Optional<SessionRestorer> memory() {
    return memory;
  }

  /// The workspace the attempt continues with and leaves; empty if its agent has no sessions.
  Optional<WorkspaceRestorer> continuity() {
    return continuity;
  }

  /// The files that the agent starts with.
  WorkspacePreparation files() {
    return files;
  }

  /// Begins to store what the ended agent changed. Empty for a run without a workspace, and for a
  /// paused one, whose files the next attempt continues with.
  ///
  /// @param beside what stores the session files
  /// @param completed whether the agent did what it should
  Optional<ChangeKeeping> change(Optional<Keeping> beside, boolean completed) {
    files.closing();
    return left()
        .flatMap(
            base ->
                files
                    .wanted()
                    .map(
                        wanted ->
                            new ChangeKeeping(
                                beside,
                                keeping(wanted, base),
                                base,
                                change ->
                                    completed ? files.publication().own(base, change) : List.of(),
                                setup.log())));
  }

  /// Begins to store the files that the ended agent left. Empty for a run without a workspace, and
  /// for a paused one.
  ///
  /// @param beside what else is stored
  Optional<FilesKeeping> files(Optional<Keeping> beside) {
    return files
        .kept()
        .filter(AgentPreparation::isThere)
        .map(base -> files.earlier().keeping(beside, base));
  }

  private Optional<Origin> left() {
    return files.base().filter(AgentPreparation::isThere);
  }

  private static boolean isThere(Origin base) {
    return Files.isDirectory(base.workspace(), NOFOLLOW_LINKS);
  }

  private WorkspaceKeeping keeping(WorkspaceRequest wanted, Origin base) {
    return new WorkspaceKeeping(
        new ChangeStore(
            new KeptChanges(setup.stores().artifacts()),
            setup.stores().large(),
            setup.stores().kept(setup.services().clock()),
            setup.log()),
        setup.services().clock(),
        new WorkspaceKeeping.Of(of.run(), of.attempt().number(), of.attempt().id()),
        new WorkspaceKeeping.Wanted(
            base.fetched().map(fetched -> fetched.head().sparse()).orElse(List.of()),
            wanted.artifacts(),
            wanted.archive()),
        new KnownSecrets(redaction),
        setup.folders().checkouts().resolve(RunnerFolders.checkout(of.mark()).value()));
  }

  /// How the agent reaches its models.
  AttemptModels models() {
    return models;
  }

  /// The agent starts: from now on its attempt waits for no store.
  void launched() {
    patience.end();
  }

  /// No agent will start: from now on no session is marked as begun, and no store is waited for.
  void abandon() {
    abandoned.set(true);
    patience.end();
    files.stop();
  }

  /// Takes the steps in order.
  Prepared<AgentLaunch> prepare() {
    try {
      return makeHome()
          .then(this::restoreWorkspace)
          .then(files::checkOut)
          .then(this::enterWorkingDir)
          .then(place -> restoreSession(place).then(recalled -> resolve(place, recalled)));
    } catch (IOException _) {
      return new Prepared.Refused<>(Prepared.notStarted("the runner could not make a workspace"));
    }
  }

  /// Makes the folder for the agent's own files.
  private Prepared<Path> makeHome() throws IOException {
    Workspace home = Workspace.create(setup.folders().homes(), of.mark());
    folders.add(home);
    return new Prepared.Ready<>(home.path());
  }

  /// Brings back the files that a paused attempt left, or makes an empty workspace.
  private Prepared<AgentPlace> restoreWorkspace(Path home) throws IOException {
    return found()
        .then(
            begun -> {
              folders.add(begun.workspace());
              return new Prepared.Ready<>(new AgentPlace(home, begun));
            });
  }

  private Prepared<RunFiles> found() throws IOException {
    if (continuity.isPresent()) {
      return continuity.get().begin();
    }
    boolean lost =
        of.attempt().continuation() && of.backend().filter(AgentBackend::replayed).isEmpty();
    return lost
        ? new Prepared.Refused<>(WorkspaceRestorer.LOST)
        : new Prepared.Ready<>(RunFiles.none(setup.folders().workspaces(), of.mark()));
  }

  /// Finds the directory that the request names inside the workspace. Before anything costs time or
  /// money, and once more when the commands of setup have ended: they may have put a link there.
  private Prepared<AgentPlace> enterWorkingDir(AgentPlace place) throws IOException {
    String wanted = of.request().workingDir();
    if (wanted == null) {
      return new Prepared.Ready<>(place);
    }
    return switch (place.files().workspace().workingDir(wanted, Workspace.AbsolutePaths.REFUSED)) {
      case WorkingDir.Granted(Path granted) -> new Prepared.Ready<>(place.in(granted));
      case WorkingDir.Refused(String reason) -> new Prepared.Refused<>(Prepared.notStarted(reason));
    };
  }

  /// Restores the agent's session files into its home.
  private Prepared<SessionRestorer.Recalled> restoreSession(AgentPlace place) {
    Map<String, JsonNode> given = of.request().extensions();
    return memory
        .map(own -> own.recall(given, of.attempt().continuation(), place.home()))
        .orElseGet(
            () -> new Prepared.Ready<>(new SessionRestorer.Recalled(given, Optional.empty())));
  }

  /// Reads the secrets that the agent is given: those that the request names, and its key.
  private Prepared<AgentLaunch> resolve(AgentPlace place, SessionRestorer.Recalled recalled)
      throws IOException {
    return secrets
        .variables(of.request().env())
        .then(env -> secrets.apiKey().then(key -> settle(place, recalled, env, key)));
  }

  /// Determines the agent's request, its services and its models.
  private Prepared<AgentLaunch> settle(
      AgentPlace place,
      SessionRestorer.Recalled recalled,
      Map<String, String> env,
      Optional<String> key)
      throws IOException {
    Optional<Failure> failure = files.setUp(place, env);
    if (failure.isPresent()) {
      return new Prepared.Refused<>(failure.get());
    }
    models.open(key, network());
    return enterWorkingDir(place).then(within -> launch(within, recalled, env));
  }

  private Prepared<AgentLaunch> launch(
      AgentPlace place, SessionRestorer.Recalled recalled, Map<String, String> env)
      throws IOException {
    return cell(place)
        .then(
            cell ->
                new Prepared.Ready<>(
                    new AgentLaunch(
                        request(place, recalled.extensions(), env),
                        context(place, cell, keeping(place, recalled.extensions())),
                        Stream.of(
                                files.told(),
                                recalled.warning().stream().toList(),
                                continuity.flatMap(WorkspaceRestorer::warning).stream().toList(),
                                models.warning().stream().toList())
                            .flatMap(List::stream)
                            .toList(),
                        metering())));
  }

  private AgentLaunch.Metering metering() {
    boolean replayed = of.backend().filter(AgentBackend::replayed).isPresent();
    return new AgentLaunch.Metering(of.settings().prices(), models.endpoint(), replayed);
  }

  private AgentRunRequest request(
      AgentPlace place, Map<String, JsonNode> extensions, Map<String, String> env) {
    return new AgentRunRequest(
        of.kind(),
        of.run().runId(),
        of.attempt().id(),
        of.request().prompt(),
        extensions,
        place.workspace(),
        place.workingDir(),
        env,
        new RunContext(
            of.run(),
            of.request().turnOf(of.run()),
            of.request().input(),
            of.facts().interactions(),
            of.attempt().continuation()),
        of.request().bounds());
  }

  private BackendContext context(AgentPlace place, Cell cell, Optional<FileKeeping> keeping) {
    return new BackendContext(
        models.settings().reaching(network()),
        setup.services().processes().in(cell),
        setup.services().clock(),
        new AgentSurroundings(
            setup.environment().variables(),
            models.key(),
            place.home(),
            setup.environment().logins()),
        setup.services().sessions(),
        new BackendContext.Output(
            EventShaper.of(
                setup.stores().artifacts(),
                of.run(),
                of.attempt().id(),
                place.workingDir(),
                redaction),
            keeping));
  }

  /// What surrounds the agent's processes, within which the limits of its network hold.
  private Prepared<Cell> cell(AgentPlace place) throws IOException {
    return surrounding(List.of(place.home(), place.workspace()))
        .then(cell -> new Prepared.Ready<>(folders.enclose(cell)));
  }

  /// What surrounds processes of the attempt, unless the operator does not allow the network that
  /// the request names.
  private Prepared<Cell> surrounding(List<Path> own) throws IOException {
    Map<String, JsonNode> named = new TreeMap<>(of.request().extensions());
    named.keySet().retainAll(Set.of(Capabilities.NETWORK));
    Optional<Problem> problem = setup.gateway().problem(of.kind(), named, of.settings());
    if (problem.isPresent()) {
      return new Prepared.Refused<>(AgentLaunch.refused(problem.get()));
    }
    Cell apart = setup.services().isolation().cell(of.mark().value(), own);
    return switch (setup.services().networks().limited(apart, network())) {
      case AgentNetworks.Limited.To(Cell cell) -> new Prepared.Ready<>(cell);
      case AgentNetworks.Limited.NotEnforced(Failure failure) -> new Prepared.Refused<>(failure);
    };
  }

  /// What the request says, or else the operator.
  private NetworkAccess network() {
    return Optional.ofNullable(of.request().extensions().get(Capabilities.NETWORK))
        .flatMap(NetworkAccess::read)
        .or(of.settings().grants()::network)
        .orElse(new NetworkAccess.Open());
  }

  /// Files outside of the workspace cannot be stored, so an agent that has some keeps its place.
  private Optional<FileKeeping> keeping(AgentPlace place, Map<String, JsonNode> extensions) {
    return continuity
        .filter(_ -> AddedDirs.within(extensions, place.workingDir(), place.workspace()))
        .map(
            own ->
                own.keeping(
                    place.files(),
                    () -> memory.filter(SessionRestorer::fits).isPresent(),
                    () -> folders.remove(place.files().workspace()),
                    files::refresh));
  }
}
