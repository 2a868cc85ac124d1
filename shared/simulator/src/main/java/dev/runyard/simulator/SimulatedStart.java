package dev.runyard.simulator;

import dev.runyard.core.artifact.PausedWorkspaces;
import dev.runyard.core.artifact.SavedState;
import dev.runyard.core.artifact.SessionSnapshots;
import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentStart;
import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An agent on its way to its start at a simulated runner, and what is kept of it: by the order of
/// a real runner, in which only files and processes are missing.
final class SimulatedStart implements AgentStart {
  private static final int START_SECONDS_MAX = 100;
  private static final double SLOW_START = 0.3;

  static final Failure LOST = failure(Failure.RUNNER_LOST);
  static final Failure UNREACHABLE = failure(StoreOracle.FILES_AWAY);
  static final Failure GONE = failure("workspace_lost");

  private final Machine machine;
  private final RunFacts facts;
  private final Attempt attempt;
  private final AgentMode mode;
  private final AgentFiles files = new AgentFiles();
  private final SessionSnapshots.Place session;
  private final AwaitedWork<Optional<Failure>> preparing;
  private final AwaitedWork<Boolean> taking;
  private Optional<Failure> notTaken = Optional.empty();
  private Optional<RunEvent> warning = Optional.empty();
  private PausedWorkspaces.Found.@Nullable Workspace left;
  private @Nullable SavedState began;
  private String nativeSession;
  private boolean recalled;
  private boolean took;
  private boolean launched;
  private boolean abandoned;

  SimulatedStart(Machine machine, RunFacts facts, Attempt attempt) {
    this.machine = machine;
    this.facts = facts;
    this.attempt = attempt;
    this.mode = AgentMode.of(facts.request());
    this.nativeSession = "native-" + attempt.id();
    this.session =
        new SessionSnapshots.Place(
            facts.run(), attempt.id(), facts.request().agent(), facts.request().memoryId());
    this.preparing = new AwaitedWork<>(machine, this::prepare);
    this.taking = new AwaitedWork<>(machine, this::taken);
    var _ = beside(preparing::run);
  }

  private static Failure failure(String code) {
    return new Failure(code, Category.INTERNAL, "Something of the run could not be had.");
  }

  Machine machine() {
    return machine;
  }

  RunKey run() {
    return facts.run();
  }

  Attempt attempt() {
    return attempt;
  }

  AgentMode mode() {
    return mode;
  }

  AgentFiles files() {
    return files;
  }

  Optional<RunEvent> warning() {
    return warning;
  }

  /// Names the workspace: the attempt that made it first.
  String workspace() {
    PausedWorkspaces.Found.Workspace there = left;
    return there == null ? attempt.id() : there.kept().attemptId();
  }

  @Override
  public String program() {
    return facts.request().agent();
  }

  @Override
  public boolean interactive() {
    return machine.system().agents().interactive(facts);
  }

  @Override
  public Future<?> ready() {
    return preparing.done();
  }

  private Optional<Failure> prepare() {
    Optional<Failure> failure = mode.remembers() ? restored().or(this::recalled) : Optional.empty();
    if (abandoned && machine.system().has(Defect.GIVEN_UP_AGENT_STARTED)) {
      begins();
    }
    if (machine.system().has(Defect.CLAIM_TAKES_FILES) && left != null) {
      begin(preparing);
      forget();
    }
    return failure;
  }

  /// The files a paused attempt left.
  private Optional<Failure> restored() {
    if (!attempt.continuation()) {
      return Optional.empty();
    }
    PausedWorkspaces paused = machine.paused(preparing);
    return switch (paused.find(run(), attempt.number())) {
      case PausedWorkspaces.Found.Nothing _ -> Optional.of(LOST);
      case PausedWorkspaces.Found.Unreachable _ -> Optional.of(UNREACHABLE);
      case PausedWorkspaces.Found.Workspace found -> {
        left = found;
        yield switch (paused.restore(run(), found, files::unpack)) {
          case RESTORED -> Optional.empty();
          case GONE -> Optional.of(GONE);
          case UNREACHABLE -> Optional.of(UNREACHABLE);
        };
      }
    };
  }

  /// What the agent remembers.
  private Optional<Failure> recalled() {
    boolean goesOn = attempt.continuation();
    boolean alone = attempt.number() == 1 && session.sessionId().equals(run().runId()) && !goesOn;
    recalled = true;
    SessionSnapshots sessions = machine.sessions(preparing).unless(() -> abandoned);
    MemoryOracle memories = machine.system().memories();
    memories.marks(session);
    return switch (restored(sessions, alone)) {
      case SessionSnapshots.Restored.Nothing nothing -> {
        memories.marked(session);
        warn(nothing.behind());
        yield goesOn ? Optional.of(LOST) : Optional.empty();
      }
      case SessionSnapshots.Restored.Failed failed -> {
        memories.mayBeMarked(session);
        yield Optional.of(failed.failure());
      }
      case SessionSnapshots.Restored.Session there -> {
        memories.marked(session);
        nativeSession = there.nativeSession();
        began = there.began(run());
        warn(there.behind());
        boolean own = there.state().runId().equals(run().runId());
        yield goesOn && !own ? Optional.of(LOST) : Optional.empty();
      }
    };
  }

  private SessionSnapshots.Restored restored(SessionSnapshots sessions, boolean alone) {
    try {
      return alone
          ? sessions.open(session)
          : sessions.restore(session, null, attempt.continuation(), files);
    } catch (AwaitedWork.Later later) {
      machine.system().memories().mayBeMarked(session);
      throw later;
    }
  }

  private void warn(boolean behind) {
    if (behind) {
      warning = Optional.of(new RunEvent.RuntimeWarning("session_behind", "It was lost."));
    }
  }

  @Override
  public Future<?> take() {
    var _ = beside(taking::run);
    return taking.done();
  }

  private boolean taken() {
    if (mode.remembers() && attempt.number() > 1) {
      begin(taking);
    }
    return true;
  }

  private void begin(AwaitedWork<?> patience) {
    if (machine.paused(patience).begin(run(), attempt.number())) {
      took = true;
    } else {
      notTaken = Optional.of(UNREACHABLE);
    }
  }

  @Override
  public Future<?> giveBack() {
    return beside(
        () -> {
          took = false;
          if (mode.remembers() && attempt.number() > 1) {
            machine.paused().giveBack(run(), attempt.number());
          }
          return true;
        });
  }

  @Override
  public void abandon() {
    abandoned = true;
    preparing.end();
    taking.end();
  }

  @Override
  public Future<Optional<AgentHandle>> refuse(Failure why) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public AgentHandle launch() {
    Optional<Failure> refused = notTaken.or(preparing.done()::resultNow);
    if (refused.isPresent()) {
      machine.system().agents().refuse(attempt.id(), refused.get());
      return new RefusedAgent(refused.get());
    }
    launched = true;
    machine.system().orphans().starts(run());
    begins();
    machine.system().memories().began(attempt.id(), files.runs());
    files.remember(run().runId(), attempt.id());
    return machine.started(facts, attempt, new SimulatedPlace(this));
  }

  /// An agent process is started.
  private void begins() {
    machine.system().oracle().started(attempt.id(), machine.system().now());
  }

  /// What the ended agent remembers, on its way to the next attempt of its session.
  Optional<Keeping> keep() {
    if (!recalled) {
      return Optional.empty();
    }
    SessionSnapshots sessions = machine.sessions();
    Future<SessionSnapshots.Draft> stored =
        beside(
            () ->
                launched
                    ? sessions.draft(session, nativeSession, began, files)
                    : sessions.draftOfNothing(session));
    return Optional.of(
        new Keeping() {
          @Override
          public Future<?> stored() {
            return stored;
          }

          @Override
          public Future<Settled> settle(boolean ours) {
            machine.mayStall();
            return beside(() -> told(settled(stored.resultNow(), ours)));
          }
        });
  }

  private SessionSnapshots.Saved settled(SessionSnapshots.Draft draft, boolean ours) {
    MemoryOracle memories = machine.system().memories();
    boolean late = memories.late(session);
    SessionSnapshots.Saved saved = machine.sessions().settle(draft, ours);
    if (late && ours && saved instanceof SessionSnapshots.Saved.Kept) {
      memories.replaced(session);
    }
    return saved;
  }

  private static Keeping.Settled told(SessionSnapshots.Saved saved) {
    return switch (saved) {
      case SessionSnapshots.Saved.Kept _ -> Keeping.Settled.SILENTLY;
      case SessionSnapshots.Saved.TooLarge _, SessionSnapshots.Saved.Unreachable _ ->
          Keeping.Settled.notKept(
              new RunEvent.RuntimeWarning(MemoryOracle.NOT_KEPT, "It is not kept."));
    };
  }

  /// Removes what the ended attempt went on with.
  void forget() {
    PausedWorkspaces.Found.Workspace old = left;
    if (took && old != null) {
      machine.paused().forget(run(), old);
    }
  }

  private <T> Future<T> beside(Supplier<T> work) {
    boolean slow = machine.system().faults().strikes(Fault.SLOW_START, SLOW_START);
    Duration takes =
        slow ? Duration.ofSeconds(machine.random().nextInt(START_SECONDS_MAX)) : Duration.ZERO;
    machine.held(takes);
    if (machine.system().has(Defect.START_BLOCKS_ATTEMPT)) {
      machine.system().elapse(takes);
      return CompletableFuture.completedFuture(work.get());
    }
    return takes.isZero() && !mode.remembers()
        ? CompletableFuture.completedFuture(work.get())
        : machine.beside(takes, work);
  }
}
