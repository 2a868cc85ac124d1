package dev.runyard.runner;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.Bucket;
import dev.runyard.core.attempt.AttemptPorts;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.SlotHold;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.AppendNotices;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryLargeObjects;
import dev.runyard.core.memory.MemoryPlaces;
import dev.runyard.core.memory.MemorySlots;
import dev.runyard.core.message.Message;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import dev.runyard.core.thread.ThreadOrigin;
import dev.runyard.core.wakeup.ProcessWakeups;
import dev.runyard.core.wakeup.WakeRunner;
import dev.runyard.runner.attempt.AgentEnvironment;
import dev.runyard.runner.attempt.AgentSetup;
import dev.runyard.runner.attempt.AttemptStores;
import dev.runyard.runner.attempt.Attempts;
import dev.runyard.runner.attempt.BackendServices;
import dev.runyard.runner.attempt.RunnerFolders;
import dev.runyard.runner.attempt.RunnerIdentity;
import dev.runyard.runner.attempt.RunnerTime;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.log.RunnerLog;
import dev.runyard.runner.network.AgentNetworks;
import dev.runyard.runner.process.ProcessLauncher;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A runner on ports in memory and real time.
public final class RunnerRig {
  /// The slot of its workers.
  static final int SLOT = 3;

  /// With so many runners that stay, its workers are of them.
  static final int STAYS = SLOT + 1;

  private static final AttemptTiming TIMING =
      new AttemptTiming(
          Duration.ofMillis(5),
          Duration.ofMillis(5),
          Duration.ofMillis(50),
          Duration.ofSeconds(Limits.LEASE_SECONDS));

  /// A run that waits for a person gives up its place almost at once.
  private static final AttemptTiming IMPATIENT =
      new AttemptTiming(
          TIMING.flush(), TIMING.gather(), TIMING.look(), TIMING.lease(), Duration.ofMillis(50));

  public final WaitingQueue queue = new WaitingQueue();
  final MemorySlots slots = new MemorySlots();
  private final ProcessWakeups wakeups = new ProcessWakeups();
  public final MemoryArtifactStore artifacts = new MemoryArtifactStore();

  /// The keys of what attempts have put, replaced or deleted, each time.
  public final List<String> written = new CopyOnWriteArrayList<>();

  private final MemoryEventLog memory = new MemoryEventLog();
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  public final InstantSource clock;
  private final RunnerLog log;
  private final Ids ids = new RandomIds(new SecureRandom());
  private final RunLog runs;
  private final Path directory;
  private volatile Predicate<Chunk> refused = _ -> false;
  private volatile Isolation isolation = Isolation.NONE;

  public RunnerRig(Path directory) {
    this(directory, InstantSource.system());
  }

  public RunnerRig(Path directory, InstantSource clock) {
    this.directory = directory;
    this.clock = clock;
    this.log = new RunnerLog(new PrintStream(printed, true, StandardCharsets.UTF_8), clock);
    this.runs = runLog(memory, "api");
  }

  /// Attempts made from now on are kept apart like this.
  public void isolated(Isolation by) {
    isolation = by;
  }

  /// Appends of such chunks fail permanently.
  public void refuse(Predicate<Chunk> chunks) {
    refused = chunks;
  }

  public Attempts attempts(AgentGateway gateway, AgentSettings settings, Map<String, String> env) {
    return attempts(gateway, settings, env, artifacts, TIMING);
  }

  /// Attempts whose runs hardly wait for a person.
  public Attempts impatient(
      AgentGateway gateway, AgentSettings settings, Map<String, String> env, ArtifactStore store) {
    return attempts(gateway, settings, env, store, IMPATIENT);
  }

  private Attempts attempts(
      AgentGateway gateway,
      AgentSettings settings,
      Map<String, String> env,
      ArtifactStore store,
      AttemptTiming timing) {
    AgentSetup setup =
        new AgentSetup(
            gateway,
            new AgentEnvironment(settings, env),
            new RunnerFolders(directory, false),
            AttemptStores.in(
                new Bucket(
                    new CountedStore(store, written),
                    new MemoryLargeObjects(store, InstantSource.system())),
                Quotas.NONE,
                _ -> ThreadOrigin.NONE),
            new BackendServices(
                ProcessLauncher.onThisMachine(),
                isolation,
                AgentNetworks.UNLIMITED,
                RunnerTime.by(clock),
                (_, session) -> List.of(Message.text("user", "earlier in " + session.sessionId())),
                new ModelGateway(clock, ids)),
            log);
    RunLog own = runLog(new PickyLog(), "runner");
    return new Attempts(
        new AttemptPorts(own, queue, wakeups),
        AppendNotices.NONE,
        setup,
        timing,
        new RunnerIdentity("runner", ids),
        clock);
  }

  /// Handles the next message of the queue on its own thread.
  public CompletableFuture<Step.Verdict> working(Attempts attempts, Duration patience) {
    Ticket ticket = queue.receive(1, (int) patience.toSeconds()).getFirst();
    CompletableFuture<Step.Verdict> verdict = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                verdict.complete(attempts.work(ticket));
              } catch (InterruptedException | RuntimeException e) {
                verdict.completeExceptionally(e);
              }
            });
    return verdict;
  }

  Worker worker(AgentGateway gateway, int runsMax, Duration idle) {
    return worker(gateway, new WorkerTerms(runsMax, idle, Duration.ofDays(1), 0), clock);
  }

  /// A worker with its own slot.
  ///
  /// @param slotClock the slot's clock
  Worker worker(AgentGateway gateway, WorkerTerms terms, InstantSource slotClock) {
    Attempts attempts = attempts(gateway, AgentSettings.NONE, Map.of());
    Slot.Claimed claimed = new Slot.Free(SLOT, 0).claim("claim", slotClock.instant());
    slots.write(claimed);
    SlotHold hold = new SlotHold(slots, SLOT, "claim", "runner", slotClock);
    return new Worker(queue, attempts, terms, hold, clock, log);
  }

  /// Accepts a run and sends its message.
  public RunKey submit(String agent, Map<String, JsonNode> extensions) {
    return submit(agent, "say hello", extensions);
  }

  public RunKey submit(String agent, String prompt, Map<String, JsonNode> extensions) {
    return submit(agent, prompt, extensions, Map.of());
  }

  /// Submits a run with variables.
  public RunKey submit(
      String agent, String prompt, Map<String, JsonNode> extensions, Map<String, String> env) {
    return submit(request(agent, prompt, extensions, "project/src", env, RetryPolicy.NEVER));
  }

  /// Submits a run with files.
  public RunKey submit(
      String agent, String prompt, @Nullable WorkspaceRequest workspace, Map<String, String> env) {
    return submit(agent, prompt, workspace, null, env);
  }

  /// Submits a run with files that starts in one of their folders.
  public RunKey submit(
      String agent,
      String prompt,
      @Nullable WorkspaceRequest workspace,
      @Nullable String workingDir,
      Map<String, String> env) {
    RetryPolicy twice = new RetryPolicy(2, List.of(RetryPolicy.ANY), 0);
    return submit(request(agent, prompt, Map.of(), workingDir, env, twice).with(workspace));
  }

  /// Submits a run with files whose agent may ask.
  public RunKey submit(String agent, Map<String, JsonNode> extensions, WorkspaceRequest workspace) {
    return submit(
        request(agent, "say hello", extensions, null, Map.of(), RetryPolicy.NEVER).with(workspace));
  }

  private static RunRequest request(
      String agent,
      String prompt,
      Map<String, JsonNode> extensions,
      @Nullable String workingDir,
      Map<String, String> env,
      RetryPolicy retry) {
    return new RunRequest(
        agent, prompt, "session-1", extensions, List.of(), workingDir, 600, env, Map.of(), retry);
  }

  private RunKey submit(RunRequest request) {
    RunKey run = new RunKey("acme", ids.runId(clock.instant()));
    runs.execute(run, new RunCommand.Submit(request));
    queue.send(run, 0);
    return run;
  }

  /// Appends an event as a function of another release would.
  void append(RunKey run, RunEvent event) {
    RunState.Existing now = (RunState.Existing) state(run);
    StoredEvent stored =
        new StoredEvent(
            run,
            now.facts().request().sessionId(),
            null,
            now.sequence() + 1,
            clock.instant(),
            event);
    memory.append(
        new Chunk(
            run,
            ids.token(),
            "another",
            ChunkBody.of(EventCodec.RUNS, List.of(stored)),
            Optional.of(now.phase()),
            false));
  }

  public void cancel(RunKey run) {
    want(run, new RunCommand.Cancel("changed my mind"));
  }

  /// Somebody wants something of a run.
  public void want(RunKey run, RunCommand command) {
    runs.execute(run, command);
    wake(run);
  }

  /// Sends the run's agent a message.
  public void say(RunKey run, String messageId, String content) {
    want(run, new RunCommand.Message(messageId, content, null));
  }

  /// Answers the run's first pending question.
  public void answer(RunKey run, String text) {
    Action action = ((RunState.Existing) state(run)).facts().interactions().pending().getFirst();
    runs.execute(
        run,
        new RunCommand.Resolve(
            action.actionId(),
            ActionDecision.ANSWER,
            Question.answer(text),
            "somebody",
            clock.instant()));
    wake(run);
  }

  /// Decides the run's first pending permission.
  public void decide(RunKey run, ActionDecision decision) {
    Action action = ((RunState.Existing) state(run)).facts().interactions().pending().getFirst();
    runs.execute(
        run,
        new RunCommand.Resolve(action.actionId(), decision, null, "somebody", clock.instant()));
    wake(run);
  }

  private void wake(RunKey run) {
    new WakeRunner(wakeups, ids).wake(state(run));
  }

  /// Does what is due for a run, such as queueing it again.
  public void advance(RunKey run) {
    new AdvanceRun(runs, MemoryPlaces.turns(memory, runs, queue, clock, ids), clock).advance(run);
  }

  /// The run's events in order.
  public List<StoredEvent> events(RunKey run) {
    EventCursor<StoredEvent> cursor = new EventCursor<>(memory, EventCodec.RUNS, run, 0);
    List<StoredEvent> all = new ArrayList<>();
    for (List<StoredEvent> next = cursor.next(); !next.isEmpty(); next = cursor.next()) {
      all.addAll(next);
    }
    return all;
  }

  public RunState state(RunKey run) {
    return runs.load(run);
  }

  /// The types of a run's events in order.
  public List<String> types(RunKey run) {
    return events(run).stream().map(StoredEvent::type).toList();
  }

  public void untilLogged(RunKey run, String type) {
    Signals.until(() -> types(run).contains(type));
  }

  /// What the runner logged.
  public String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  private RunLog runLog(EventLog events, String writer) {
    return new RunLog(events, Snapshots.none(), RunDecider.rules(), clock, ids, writer);
  }

  private final class PickyLog implements EventLog {
    @Override
    public AppendResult append(Chunk chunk) {
      if (refused.test(chunk)) {
        throw new IllegalStateException("the chunk is refused");
      }
      return memory.append(chunk);
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      return memory.chunksAfter(key, sequence);
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      return memory.chunkAt(key, sequence);
    }
  }
}
