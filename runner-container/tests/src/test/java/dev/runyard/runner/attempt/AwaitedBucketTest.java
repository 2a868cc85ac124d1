package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.artifact.AwaitedStore;
import dev.runyard.core.artifact.Bucket;
import dev.runyard.core.artifact.PausedWorkspaces;
import dev.runyard.core.artifact.SessionSnapshots;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryLargeObjects;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunState;
import dev.runyard.core.thread.ThreadOrigin;
import dev.runyard.core.upload.UploadFormat;
import dev.runyard.core.upload.UploadId;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.backend.claude.ClaudeBackend;
import dev.runyard.runner.backend.claude.FakeClaude;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.log.RunnerLog;
import dev.runyard.runner.network.AgentNetworks;
import dev.runyard.runner.paused.FailingStore;
import dev.runyard.runner.paused.PausedFiles;
import dev.runyard.runner.process.Pacer;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.session.FolderMemory;
import dev.runyard.runner.upload.ArchiveMaker;
import dev.runyard.runner.workspace.StoredFiles;
import dev.runyard.testkit.threads.TestPatience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Attempts whose bucket does not answer while their agents are prepared.
final class AwaitedBucketTest {
  private static final Duration OUTAGE = Duration.ofMinutes(10);

  @TempDir private Path directory;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private RunnerRig rig;
  private FailingStore store;
  private Duration waited = Duration.ZERO;
  private int unanswered;
  private Consumer<Duration> passes = _ -> {};

  /// Time that passes only while somebody waits.
  private final Pacer pacer =
      new Pacer() {
        @Override
        public long nanoTime() {
          return waited.toNanos();
        }

        @Override
        public void pause(Duration length) {
          waited = waited.plus(length);
          passes.accept(waited);
        }
      };

  @BeforeEach
  void open() {
    rig = new RunnerRig(directory.resolve("runner"));
    store = new FailingStore(rig.artifacts);
  }

  @Test
  void theFirstRunOfASessionWaitsForIt() {
    isAwayFor(OUTAGE);

    Preparations.ready(preparation(rig.submit("claude_code", Map.of()), 1, false).prepare());

    assertWaitedForIt();
    assertEquals(1, printed.toString(StandardCharsets.UTF_8).lines().count());
    assertTrue(printed.toString(StandardCharsets.UTF_8).contains("bucket_awaited"));
  }

  @Test
  void aSessionWaitsForWhatItsThreadGoesOnFrom() throws IOException {
    leave(rig.submit("claude_code", Map.of()));
    unanswered = 2;

    Preparations.ready(preparation(rig.submit("claude_code", Map.of()), 1, false).prepare());

    assertEquals(0, unanswered);
    assertTrue(waited.isPositive());
  }

  @Test
  void aPausedRunWaitsForItsFiles() throws IOException {
    RunKey run = rig.submit("claude_code", Map.of());
    leave(run);
    isAwayFor(OUTAGE);

    AgentLaunch launch = Preparations.ready(preparation(run, 2, true).prepare());

    assertWaitedForIt();
    assertEquals("begun", Files.readString(launch.request().workspace().resolve("notes")));
  }

  @Test
  void aPausedRunWaitsWithWhatItTakesOver() throws IOException {
    RunKey run = rig.submit("claude_code", Map.of());
    leave(run);
    AgentPreparation preparation = preparation(run, 2, true);
    Preparations.ready(preparation.prepare());
    isAwayFor(OUTAGE);

    assertEquals(Optional.empty(), preparation.continuity().orElseThrow().take());

    assertWaitedForIt();
    assertInstanceOf(
        PausedWorkspaces.Found.Nothing.class, new PausedWorkspaces(rig.artifacts).find(run, 3));
  }

  @Test
  void aRunWaitsForItsUpload() throws Exception {
    byte[] archive = new ArchiveMaker(UploadFormat.ZIP).file("a", "1").bytes();
    UploadId id =
        UploadId.at(HexFormat.of().formatHex(Digest.of(archive)), UploadFormat.ZIP, since());
    RunKey run = submit(new WorkspaceSource.Upload(id.text()));
    rig.artifacts.put(id.key(run.tenant()), archive);
    isAwayFor(OUTAGE);

    AgentLaunch launch = Preparations.ready(preparation(run, 1, false).prepare());

    assertWaitedForIt();
    assertEquals("1", Files.readString(launch.request().workspace().resolve("a")));
  }

  @Test
  void aRunWaitsForTheFilesOfAnEarlierOne() throws Exception {
    FakeClaude claude = FakeClaude.conversing(program(), "init\necho 1 > a\nresult\n");
    submit(new WorkspaceSource.None());
    assertEquals(Step.Verdict.ENDED, work(claude).get());
    RunKey run = submit(new WorkspaceSource.Session());
    isAwayFor(OUTAGE);

    AgentLaunch launch = Preparations.ready(preparation(run, 1, false).prepare());

    assertWaitedForIt();
    assertEquals("1\n", Files.readString(launch.request().workspace().resolve("a")));
  }

  @Test
  void whatIsNotThereIsNotWaitedFor() throws Exception {
    UploadId id = UploadId.at("0".repeat(64), UploadFormat.ZIP, since());

    assertEquals(
        Failure.UPLOAD_UNAVAILABLE,
        Preparations.refusal(
                preparation(submit(new WorkspaceSource.Upload(id.text())), 1, false).prepare())
            .code());
    assertEquals(
        WorkspaceRestorer.LOST,
        Preparations.refusal(preparation(rig.submit("claude_code", Map.of()), 2, true).prepare()));
    assertEquals(Duration.ZERO, waited);
  }

  @Test
  void anAttemptThatIsOverWaitsNoLonger() {
    store.fail(_ -> true);
    AgentPreparation preparation = preparation(rig.submit("claude_code", Map.of()), 2, true);
    AtomicInteger failures = new AtomicInteger();
    passes =
        time -> {
          if (time.compareTo(OUTAGE) >= 0 && failures.get() == 0) {
            failures.set(store.failures());
            preparation.abandon();
          }
        };

    assertEquals(WorkspaceRestorer.UNREACHABLE, Preparations.refusal(preparation.prepare()));

    assertEquals(failures.get(), store.failures());
    assertTrue(waited.compareTo(OUTAGE.plus(BucketPatience.LOOK)) <= 0, waited.toString());
  }

  @Test
  void anAgentThatHasStartedWaitsForNothing() {
    AgentPreparation preparation = preparation(rig.submit("claude_code", Map.of()), 2, false);
    Preparations.ready(preparation.prepare());
    preparation.launched();
    store.fail(_ -> true);

    assertEquals(
        Optional.of(WorkspaceRestorer.UNREACHABLE), preparation.continuity().orElseThrow().take());

    assertEquals(1, store.failures());
  }

  @Test
  void aRunCompletesOnceTheBucketAnswers() throws Exception {
    FakeClaude claude = FakeClaude.conversing(program(), "init\nresult\n");
    RunKey run = rig.submit("claude_code", Map.of());
    store.fail(_ -> store.failures() < 2);

    assertEquals(Step.Verdict.ENDED, work(claude).get());
    rig.advance(run);

    assertInstanceOf(RunState.Completed.class, rig.state(run));
  }

  @Test
  void aRunThatIsCancelledMeanwhileIsOverAtOnce() throws Exception {
    FakeClaude claude = FakeClaude.conversing(program(), "init\nresult\n");
    RunKey run = rig.submit("claude_code", Map.of());
    store.fail(_ -> true);
    CompletableFuture<Step.Verdict> attempt = work(claude);
    Signals.until(() -> store.failures() > 1);

    rig.cancel(run);
    assertEquals(Step.Verdict.ENDED, attempt.get());
    rig.advance(run);

    assertInstanceOf(RunState.Cancelled.class, rig.state(run));
    assertFalse(rig.types(run).contains("process.started"));
  }

  @Test
  void aRunWhoseRunnerStopsMeanwhileIsHandedBack() throws Exception {
    FakeClaude claude = FakeClaude.conversing(program(), "init\nresult\n");
    RunKey run = rig.submit("claude_code", Map.of());
    store.fail(_ -> true);
    Attempts attempts = attempts(claude);
    CompletableFuture<Step.Verdict> attempt = rig.working(attempts, TestPatience.LONG);
    Signals.until(() -> store.failures() > 1);

    attempts.drain();
    assertEquals(Step.Verdict.ENDED, attempt.get());
    rig.advance(run);

    assertInstanceOf(RunState.Open.class, rig.state(run));
    assertFalse(rig.types(run).contains("process.started"));
  }

  private static Instant since() {
    return Instant.parse("2026-03-01T12:00:00Z");
  }

  private Path program() throws IOException {
    return Files.createDirectory(directory.resolve("program"));
  }

  private RunKey submit(WorkspaceSource source) {
    return rig.submit("claude_code", Map.of(), WorkspaceRequest.of(source));
  }

  private CompletableFuture<Step.Verdict> work(FakeClaude claude) throws IOException {
    return rig.working(attempts(claude), TestPatience.LONG);
  }

  private Attempts attempts(FakeClaude claude) throws IOException {
    return rig.impatient(
        new AgentGateway(List.of(new ClaudeBackend())),
        claude.settings(Map.of()),
        Map.of("PATH", "/usr/bin:/bin"),
        store);
  }

  private void isAwayFor(Duration outage) {
    store.fail(_ -> waited.compareTo(outage) < 0);
  }

  /// As long as it was away, and no longer than one pause after that.
  private void assertWaitedForIt() {
    assertTrue(store.failures() > 1);
    assertTrue(waited.compareTo(OUTAGE) >= 0, waited.toString());
    assertTrue(waited.compareTo(OUTAGE.plus(AwaitedStore.PAUSE_MAX)) <= 0, waited.toString());
  }

  /// What the run's first attempt has left.
  private void leave(RunKey run) throws IOException {
    Path files = Files.createDirectories(directory.resolve("left"));
    Files.writeString(files.resolve("notes"), "begun");
    PausedFiles packs = new PausedFiles(rig.artifacts, InstantSource.system(), run);
    assertTrue(
        new PausedWorkspaces(rig.artifacts)
            .keep(run, 1, "a-1", to -> packs.pack(files, to, StoredFiles.AS_THEY_ARE), () -> {}));
    SessionSnapshots sessions = new SessionSnapshots(rig.artifacts, Runnable::run);
    SessionSnapshots.Place place =
        new SessionSnapshots.Place(
            run, "a-1", "claude_code", facts(run).facts().request().memoryId());
    sessions.open(place);
    List<Path> kept = new ClaudeBackend().sessionState();
    Path home = directory.resolve("home");
    Files.writeString(Files.createDirectories(home.resolve(kept.getFirst())).resolve("s"), "{}");
    sessions.settle(sessions.draft(place, "native", null, new FolderMemory(home, kept)), true);
  }

  private RunState.Existing facts(RunKey run) {
    return (RunState.Existing) rig.state(run);
  }

  private AgentPreparation preparation(RunKey run, int number, boolean continuation) {
    AgentSetup setup = setup();
    Attempt attempt = Preparations.claimed(number, continuation);
    AgentAttempt of = AgentAttempt.of(facts(run).facts(), attempt, setup);
    return new AgentPreparation(setup, of, new AttemptFolders(false, setup.log()));
  }

  private AgentSetup setup() {
    RunnerLog log =
        new RunnerLog(new PrintStream(printed, true, StandardCharsets.UTF_8), () -> Instant.EPOCH);
    return new AgentSetup(
        new AgentGateway(List.of(new ClaudeBackend())),
        new AgentEnvironment(AgentSettings.NONE, Map.of("PATH", System.getenv("PATH"))),
        new RunnerFolders(directory.resolve("prepared"), false),
        AttemptStores.in(
            new Bucket(store, new MemoryLargeObjects(store, InstantSource.system())),
            Quotas.NONE,
            _ -> base()),
        new BackendServices(
            ProcessLauncher.onThisMachine(),
            Isolation.NONE,
            AgentNetworks.UNLIMITED,
            new RunnerTime(() -> Instant.EPOCH, pacer),
            BackendContext.Sessions.NONE,
            new ModelGateway(() -> Instant.EPOCH, new RandomIds(new SecureRandom()))),
        log);
  }

  /// The log does not answer so many times.
  private ThreadOrigin base() {
    if (unanswered > 0) {
      unanswered--;
      throw new PortUnavailable("away");
    }
    return ThreadOrigin.NONE;
  }
}
