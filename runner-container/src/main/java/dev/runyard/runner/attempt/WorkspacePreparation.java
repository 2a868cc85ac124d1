package dev.runyard.runner.attempt;

import dev.runyard.core.artifact.LeftWorkspace;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.checkout.Checkout;
import dev.runyard.runner.checkout.Checkouts;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.checkout.PreparationSteps;
import dev.runyard.runner.checkout.UploadCheckout;
import dev.runyard.runner.isolation.Cell;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.publish.Publishing;
import dev.runyard.runner.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The step between the claim and the agent's start in which the workspace that a run asked for
/// comes into being: checked out, then made ready by the request's commands.
///
/// What needs a secret is done by the runner before anything of the agent runs. The commands are
/// the repository's as much as the request's: they have a user, a home and a cell of their own,
/// which end before the agent has its own, so that they cannot leave it settings or processes. A
/// run without a workspace passes through without a write.
final class WorkspacePreparation {
  /// What the name of the home of setup commands ends with, after the attempt's mark.
  static final String SETUP_HOME = "-setup";

  private final AgentSetup setup;
  private final AgentAttempt of;
  private final AttemptFolders folders;
  private final Redaction redaction;
  private final AttemptSecrets secrets;
  private final Surroundings surroundings;
  private final PreparationSteps steps = new PreparationSteps();
  private final List<RunEvent> told = new ArrayList<>();
  private final EarlierFiles earlier;
  private volatile EarlierFiles.@Nullable Wanted wanted;
  private volatile @Nullable Origin base;
  private volatile @Nullable Path continued;

  /// Makes cells.
  @FunctionalInterface
  interface Surroundings {
    /// A cell within which the limits of the agent's network hold.
    ///
    /// @param own folders, a home first
    Prepared<Cell> of(List<Path> own) throws IOException;
  }

  WorkspacePreparation(
      AgentSetup setup,
      AgentAttempt of,
      AttemptFolders folders,
      Redaction redaction,
      AttemptSecrets secrets,
      Surroundings surroundings) {
    this.setup = setup;
    this.of = of;
    this.folders = folders;
    this.redaction = redaction;
    this.secrets = secrets;
    this.surroundings = surroundings;
    this.earlier = new EarlierFiles(setup, of, redaction);
  }

  /// What the workspace is, which a session may say where the request does not; empty for a run
  /// without one.
  Optional<WorkspaceRequest> wanted() {
    return Optional.ofNullable(wanted).map(EarlierFiles.Wanted::request);
  }

  /// The files that runs leave to others.
  EarlierFiles earlier() {
    return earlier;
  }

  /// What the workspace was before the agent; empty for a run that asked for none.
  Optional<Origin> base() {
    return Optional.ofNullable(base);
  }

  /// What later runs begin with is made of: the base, or only the files where a continued attempt
  /// could not get its base again; empty for a run without a workspace.
  Optional<Origin> kept() {
    Path files = continued;
    return base().or(() -> Optional.ofNullable(files).map(own -> new Origin(own, "", own)));
  }

  /// The agent has ended: from now on git has a time.
  void closing() {
    steps.within(Duration.ofSeconds(Publishing.PUBLISHED_SECONDS_MAX), setup.services().clock());
  }

  /// Publishes what the agent changed.
  AttemptPublication publication() {
    return new AttemptPublication(setup, of, redaction, steps, setup.stores().artifacts());
  }

  /// What is to be written of it, with the agent's start or failure.
  List<RunEvent> told() {
    return List.copyOf(told);
  }

  /// Ends what runs, and begins nothing more.
  void stop() {
    steps.stop();
  }

  /// Brings the files into the workspace.
  Prepared<AgentPlace> checkOut(AgentPlace place) throws IOException {
    return earlier
        .wanted(restored())
        .then(known -> known.isEmpty() ? new Prepared.Ready<>(place) : make(known.get(), place));
  }

  private Prepared<AgentPlace> make(EarlierFiles.Wanted known, AgentPlace place)
      throws IOException {
    wanted = known;
    continued = restored() ? place.workspace() : null;
    try {
      Optional<Failure> failure =
          switch (known.request().source()) {
            case WorkspaceSource.Git git -> checkOut(git, place.workspace());
            case WorkspaceSource.None _ -> begin(place.workspace());
            case WorkspaceSource.Session _ -> restore("session", known, place.workspace());
            case WorkspaceSource.Run _ -> restore("run", known, place.workspace());
            case WorkspaceSource.Upload upload -> unpack(upload, place.workspace());
          };
      return failure
          .<Prepared<AgentPlace>>map(Prepared.Refused::new)
          .orElseGet(() -> new Prepared.Ready<>(place));
    } catch (InterruptedException _) {
      return new Prepared.Refused<>(interrupted());
    }
  }

  private Optional<Failure> checkOut(WorkspaceSource.Git git, Path workspace)
      throws IOException, InterruptedException {
    Instant began = now();
    return begun(fetched(git, workspace), began);
  }

  private Optional<Failure> unpack(WorkspaceSource.Upload upload, Path workspace)
      throws IOException, InterruptedException {
    Instant began = now();
    return begun(unpacked(upload, workspace), began);
  }

  private Checkout.Result unpacked(WorkspaceSource.Upload upload, Path workspace)
      throws IOException, InterruptedException {
    UploadFetch fetch = new UploadFetch(setup.stores().artifacts(), of.run().tenant());
    return switch (fetch.get(upload.id())) {
      case Prepared.Refused<UploadFetch.Fetched>(Failure failure) ->
          new Checkout.Result.Refused(failure);
      case Prepared.Ready<UploadFetch.Fetched>(UploadFetch.Fetched found) -> {
        UploadCheckout.Order order =
            new UploadCheckout.Order(upload.id(), found.archive(), workspace);
        yield restored() ? checkouts().again(order) : checkouts().write(order);
      }
    };
  }

  private Optional<Failure> begun(Checkout.Result result, Instant began) {
    return switch (result) {
      case Checkout.Result.Done(
              Origin found,
              WorkspaceNotice.ContextResolved facts,
              List<RunEvent.RuntimeWarning> warnings) -> {
        base = found;
        told.add(
            new WorkspaceNotice.ContextResolved(
                facts.source(),
                facts.url(),
                facts.ref(),
                facts.commit(),
                facts.files(),
                facts.bytes(),
                millisSince(began)));
        told.addAll(warnings);
        yield Optional.empty();
      }
      case Checkout.Result.Refused(Failure failure) when restored() -> {
        told.add(withoutBase(failure));
        yield Optional.empty();
      }
      case Checkout.Result.Refused(Failure failure) -> Optional.of(failure);
    };
  }

  private Checkout.Result fetched(WorkspaceSource.Git git, Path workspace)
      throws IOException, InterruptedException {
    Optional<String> credential = Optional.empty();
    if (git.credential() != null) {
      switch (secrets.resolve(git.credential())) {
        case Prepared.Ready<String>(String value) -> credential = Optional.of(value);
        case Prepared.Refused<String>(Failure failure) -> {
          return new Checkout.Result.Refused(failure);
        }
      }
    }
    Checkout.Order order = new Checkout.Order(git, of.request().commit(), credential, workspace);
    return restored() ? checkouts().again(order) : checkouts().write(order);
  }

  private Optional<Failure> begin(Path workspace) throws IOException, InterruptedException {
    Instant began = now();
    base = checkouts().empty(workspace).orElse(null);
    if (base == null) {
      return Optional.of(Prepared.notStarted("its runner has no git to tell changes by"));
    }
    told.add(
        new WorkspaceNotice.ContextResolved("none", null, null, null, 0, 0, millisSince(began)));
    return Optional.empty();
  }

  private Optional<Failure> restore(String source, EarlierFiles.Wanted known, Path workspace)
      throws IOException, InterruptedException {
    Instant began = now();
    Checkouts checkouts = checkouts();
    return switch (earlier.restore(known.left(), workspace, restored(), checkouts)) {
      case Prepared.Ready<EarlierFiles.Restored>(EarlierFiles.Restored files) -> {
        base = files.base();
        LeftWorkspace.Repository repository = known.left().orElseThrow().repository();
        told.add(
            new WorkspaceNotice.ContextResolved(
                source,
                repository == null || repository.url().isEmpty() ? null : repository.url(),
                repository == null ? null : repository.ref(),
                repository == null ? null : repository.commit(),
                files.listing().files(),
                files.listing().filesBytes(),
                millisSince(began)));
        told.addAll(files.warnings());
        yield Optional.empty();
      }
      case Prepared.Refused<EarlierFiles.Restored>(Failure failure)
          when restored() && !failure.equals(WorkspaceRestorer.UNREACHABLE) -> {
        told.add(withoutBase(failure));
        yield Optional.empty();
      }
      case Prepared.Refused<EarlierFiles.Restored>(Failure failure) -> Optional.of(failure);
    };
  }

  private static RunEvent withoutBase(Failure failure) {
    return new RunEvent.RuntimeWarning(
        "base_unavailable",
        "What the files were at first could not be had again, so the run has no changes to show. "
            + failure.message());
  }

  /// Has what the attempt began with kept until the run continues.
  void refresh() {
    Optional.ofNullable(wanted).flatMap(EarlierFiles.Wanted::left).ifPresent(earlier::refresh);
  }

  private Checkouts checkouts() throws IOException {
    Workspace own =
        Workspace.create(setup.folders().checkouts(), RunnerFolders.checkout(of.mark()));
    folders.add(own);
    return new Checkouts(
        own.path(),
        setup.environment().runnerEnv(),
        setup.services().processes(),
        of.mark(),
        steps,
        new Checkouts.Terms(of.settings().grants().gitServers(), setup.services().clock()));
  }

  /// True when the files are those that an earlier attempt left.
  private boolean restored() {
    return of.attempt().continuation()
        && of.backend().map(AgentBackend::sessionState).filter(kept -> !kept.isEmpty()).isPresent();
  }

  /// Runs the request's commands; the failure for which no agent starts.
  ///
  /// @param env the request's variables
  Optional<Failure> setUp(AgentPlace place, Map<String, String> env) throws IOException {
    WorkspaceRequest wanted = of.request().workspace();
    if (wanted == null || wanted.setup().isEmpty() || restored()) {
      return Optional.empty();
    }
    Workspace home =
        Workspace.create(
            setup.folders().homes(), new RunMark(of.run().runId(), of.attempt().id() + SETUP_HOME));
    folders.add(home);
    try {
      return switch (surroundings.of(List.of(home.path(), place.workspace()))) {
        case Prepared.Ready<Cell>(Cell cell) ->
            ended(cell, run(wanted, cell, home.path(), place.workspace(), env));
        case Prepared.Refused<Cell>(Failure failure) -> Optional.of(failure);
      };
    } catch (InterruptedException _) {
      return Optional.of(interrupted());
    } finally {
      folders.remove(home);
    }
  }

  /// From now on nothing of the commands is left.
  private static Optional<Failure> ended(Cell cell, Optional<Failure> failure) {
    boolean empty = cell.close();
    return failure.isPresent() || empty
        ? failure
        : Optional.of(Prepared.notStarted("what its setup left could not be ended"));
  }

  private Optional<Failure> run(
      WorkspaceRequest wanted, Cell cell, Path home, Path workspace, Map<String, String> env)
      throws IOException, InterruptedException {
    Map<String, String> own = new TreeMap<>(setup.environment().variables());
    own.put("HOME", home.toString());
    own.put("TMPDIR", Files.createDirectory(home.resolve("tmp")).toString());
    SetupCommands commands =
        new SetupCommands(
            steps,
            setup.services().processes().in(cell),
            setup.services().clock(),
            of.mark(),
            workspace,
            of.settings().grants().requestEnv().merge(own, env));
    return commands.run(
        wanted.setup(), Duration.ofSeconds(wanted.setupTimeoutSeconds()), redaction, told::add);
  }

  private Instant now() {
    return setup.services().clock().instant();
  }

  private long millisSince(Instant began) {
    return Duration.between(began, now()).toMillis();
  }

  private static Failure interrupted() {
    Thread.currentThread().interrupt();
    return Prepared.notStarted("the runner is being stopped");
  }
}
