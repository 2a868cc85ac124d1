package dev.runyard.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunState;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.AgentOutput;
import dev.runyard.runner.backend.RecordingBackend;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.backend.echo.EchoBackend;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
final class WorkerTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Duration LONG = Duration.ofMinutes(10);

  /// Longer than a slow machine takes between two looks of a worker.
  private static final Duration IDLE = Duration.ofSeconds(2);

  private static final Map<String, JsonNode> NEVER_ENDING =
      Map.of(
          AgentCatalog.ECHO_EVENTS,
          JSON.numberNode(2),
          AgentCatalog.ECHO_INTERVAL_MILLIS,
          JSON.numberNode(AgentCatalog.ECHO_INTERVAL_MILLIS_MAX));

  @TempDir private Path directory;
  private final RecordingBackend hands = new RecordingBackend("hand");
  private final AgentGateway gateway = new AgentGateway(List.of(hands, new EchoBackend()));
  private final List<Runnable> cleanups = new ArrayList<>();
  private RunnerRig rig;

  @BeforeEach
  void open() {
    rig = new RunnerRig(directory);
  }

  @AfterEach
  void stopWhatWasStarted() {
    cleanups.forEach(Runnable::run);
  }

  @Test
  void bringsEveryRunToItsEnd() throws InterruptedException {
    List<RunKey> runs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      runs.add(rig.submit("echo", Map.of()));
    }

    Thread worker = start(rig.worker(gateway, 8, IDLE));

    assertTrue(worker.join(TestPatience.LONG));
    for (RunKey run : runs) {
      assertEquals(
          List.of(
              "task.created",
              "turn.submitted",
              "task.queued",
              "task.attempt.started",
              "turn.started",
              "process.started",
              "model.delta",
              "model.completed",
              "process.completed",
              "task.attempt.completed"),
          rig.types(run).stream().filter(type -> !type.equals("run.status")).toList());
    }
    assertEquals(List.of(), rig.queue.runs());
    assertTrue(rig.printed().contains("\"idle\""));
  }

  @Test
  void writesEveryEventOfAnAgentThatEmitsALot() throws InterruptedException {
    RunKey run =
        rig.submit(
            "echo",
            Map.of(AgentCatalog.ECHO_EVENTS, JSON.numberNode(AgentCatalog.ECHO_EVENTS_MAX)));

    assertTrue(start(rig.worker(gateway, 1, IDLE)).join(TestPatience.LONG));

    List<String> types = rig.types(run);
    assertEquals(
        AgentCatalog.ECHO_EVENTS_MAX, types.stream().filter("model.delta"::equals).count());
    assertEquals("task.attempt.completed", types.getLast());
  }

  @Test
  void worksOnAsManyRunsAtATimeAsItMay() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      rig.submit("hand", Map.of());
    }
    Thread worker = start(rig.worker(gateway, 2, IDLE));

    for (int ended = 0; ended < 5; ended++) {
      int busy = Math.min(ended + 2, 5);
      Signals.until(() -> hands.started().size() == busy);
      assertEquals(5 - busy, rig.queue.depth().waiting());
      succeed(hands.started().get(ended).output());
    }

    assertTrue(worker.join(TestPatience.LONG));
    assertEquals(5, hands.started().size());
    assertEquals(List.of(), rig.queue.runs());
  }

  @Test
  void takesTheNextRunAsSoonAsOneIsOver() {
    RunKey first = rig.submit("hand", Map.of());
    RunKey second = rig.submit("echo", Map.of());
    start(rig.worker(gateway, 1, LONG));
    Signals.until(() -> hands.started().size() == 1);
    assertEquals(List.of("task.queued"), rig.types(second).subList(2, 3));

    succeed(hands.started().getFirst().output());

    rig.untilLogged(second, "task.attempt.completed");
    assertEquals("task.attempt.completed", rig.types(first).getLast());
  }

  @Test
  void leavesWhenItHadNothingToDoForLong() throws InterruptedException {
    Thread worker = start(rig.worker(gateway, 2, IDLE));

    assertTrue(worker.join(TestPatience.LONG));

    assertTrue(rig.printed().contains("\"idle\""));
  }

  @Test
  void staysWithoutWorkWhereItIsOneOfThoseThatStay() throws InterruptedException {
    WorkerTerms stays = new WorkerTerms(2, Duration.ZERO, Duration.ofDays(1), RunnerRig.STAYS);
    Thread worker = start(rig.worker(gateway, stays, InstantSource.system()));

    assertFalse(worker.join(Duration.ofMillis(500)));

    rig.untilLogged(rig.submit("echo", Map.of()), "task.attempt.completed");
  }

  @Test
  void doesNothingWithoutItsSlot() throws InterruptedException {
    RunKey run = rig.submit("echo", Map.of());
    Worker worker = rig.worker(gateway, 2, LONG);
    rig.slots.write(rig.slots.read().slot(3).free());

    assertTrue(start(worker).join(TestPatience.LONG));

    assertEquals("task.queued", rig.types(run).getLast());
    assertTrue(rig.printed().contains("no_slot"));
  }

  @Test
  void givesItsSlotBackWhenItLeaves() throws InterruptedException {
    Thread worker = start(rig.worker(gateway, 2, IDLE));
    Signals.until(() -> rig.slots.read().slot(3) instanceof Slot.Held);

    assertTrue(worker.join(TestPatience.LONG));

    assertInstanceOf(Slot.Free.class, rig.slots.read().slot(3));
  }

  @Test
  void takesNoRunWhileItCannotSayThatItLivesAndKeepsTheOneItHas() throws InterruptedException {
    RunKey running = rig.submit("hand", Map.of());
    SettableClock late = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
    WorkerTerms terms = new WorkerTerms(1, IDLE, Duration.ofDays(1), RunnerRig.STAYS);
    Thread worker = start(rig.worker(gateway, terms, late));
    Signals.until(() -> hands.started().size() == 1);
    rig.slots.down(true);
    late.advance(Duration.ofSeconds(Slot.TAKE_SECONDS_MAX));

    RunKey next = rig.submit("echo", Map.of());
    succeed(hands.started().getFirst().output());
    rig.untilLogged(running, "task.attempt.completed");

    assertFalse(worker.join(Duration.ofSeconds(2)));
    assertEquals("task.queued", rig.types(next).getLast());
    rig.slots.down(false);
  }

  @Test
  void finishesItsRunsAndLeavesWhenItIsTooOld() throws InterruptedException {
    SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
    rig = new RunnerRig(directory, clock);
    RunKey running = rig.submit("hand", Map.of());
    Duration age = Duration.ofSeconds(Limits.HEARTBEAT_SECONDS);
    WorkerTerms old = new WorkerTerms(2, LONG, age, RunnerRig.STAYS);
    Thread worker = start(rig.worker(gateway, old, InstantSource.system()));
    Signals.until(() -> hands.started().size() == 1);
    clock.advance(age);
    Signals.until(() -> rig.printed().contains("too_old"));
    RunKey next = rig.submit("echo", Map.of());
    Signals.until(() -> rig.slots.read().slot(3) instanceof Slot.Held held && !held.taking());

    succeed(hands.started().getFirst().output());

    assertTrue(worker.join(TestPatience.LONG));
    assertEquals("task.attempt.completed", rig.types(running).getLast());
    assertEquals("task.queued", rig.types(next).getLast());
    assertInstanceOf(Slot.Free.class, rig.slots.read().slot(3));
  }

  @Test
  void takesNoFurtherRunWhileAnAgentCannotBeEnded() throws InterruptedException {
    SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
    rig = new RunnerRig(directory, clock);
    RunKey stuck = rig.submit("hand", Map.of());
    WorkerTerms stays = new WorkerTerms(1, LONG, Duration.ofDays(3650), RunnerRig.STAYS);
    Thread worker = start(rig.worker(gateway, stays, InstantSource.system()));
    Signals.until(() -> hands.started().size() == 1);
    AgentOutput agent = hands.started().getFirst().output();
    rig.cancel(stuck);
    passes(clock, agent::stopAsked);
    clock.advance(Duration.ofSeconds(Limits.CANCEL_SECONDS_MAX));
    rig.advance(stuck);
    RunKey next = rig.submit("echo", Map.of());

    passes(clock, () -> rig.printed().contains(Step.Verdict.STUCK.name()));
    succeed(agent);

    assertTrue(worker.join(TestPatience.LONG));
    assertTrue(rig.printed().contains("agent_stuck"));
    assertEquals("task.queued", rig.types(next).getLast());
    assertInstanceOf(Slot.Free.class, rig.slots.read().slot(3));
  }

  @Test
  void doesNotLeaveWhileItWorks() throws InterruptedException {
    RunKey run = rig.submit("hand", Map.of());
    Thread worker = start(rig.worker(gateway, 1, IDLE));
    Signals.until(() -> hands.started().size() == 1);

    assertFalse(worker.join(Duration.ofSeconds(2)));

    succeed(hands.started().getFirst().output());
    assertTrue(worker.join(TestPatience.LONG));
    assertEquals("task.attempt.completed", rig.types(run).getLast());
  }

  /// The time it may be idle passed while it could not look.
  @Test
  void looksForARunOnceMoreBeforeItLeaves() throws InterruptedException {
    SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
    rig = new RunnerRig(directory, clock);
    RunKey run = rig.submit("echo", Map.of());
    rig.queue.down(true);
    Thread worker = start(rig.worker(gateway, 1, IDLE));
    Signals.until(() -> rig.queue.refused() > 0);
    rig.queue.down(false);
    clock.advance(IDLE);

    passes(clock, () -> rig.types(run).contains("task.attempt.completed"));
    passes(clock, () -> !worker.isAlive());
    assertTrue(rig.printed().contains("\"idle\""));
  }

  @Test
  void endsItsAgentsWhenItIsToldToStop() throws InterruptedException {
    List<RunKey> runs = List.of(rig.submit("echo", NEVER_ENDING), rig.submit("echo", NEVER_ENDING));
    Worker worker = rig.worker(gateway, 2, LONG);
    Thread thread = start(worker);
    runs.forEach(run -> rig.untilLogged(run, "model.delta"));

    worker.drain();
    thread.interrupt();

    assertTrue(thread.join(TestPatience.LONG));
    assertTrue(rig.printed().contains("\"told_to_stop\""));
    runs.forEach(run -> assertEquals(Failure.RUNNER_STOPPED, failure(run)));
    assertEquals(List.of(), rig.queue.runs());
  }

  @Test
  void letsItsAgentsEndHoweverOftenItIsInterrupted() throws InterruptedException {
    RunKey run = rig.submit("hand", Map.of());
    Worker worker = rig.worker(gateway, 2, LONG);
    Thread thread = start(worker);
    Signals.until(() -> hands.started().size() == 1);
    AgentOutput agent = hands.started().getFirst().output();

    worker.drain();
    thread.interrupt();
    Signals.until(agent::stopAsked);
    thread.interrupt();
    assertFalse(thread.join(Duration.ofMillis(300)));
    thread.interrupt();
    assertFalse(thread.join(Duration.ofMillis(300)));
    agent.end(
        new AgentSignal.Ended(Optional.of(new Attempt.Exit(null, 15)), 1, Optional.empty(), 0));

    assertTrue(thread.join(TestPatience.LONG));
    assertEquals(Failure.RUNNER_STOPPED, failure(run));
  }

  @Test
  void givesBackAMessageThatCameAsItWasToldToStop() throws InterruptedException {
    RunKey run = rig.submit("echo", Map.of());
    Worker worker = rig.worker(gateway, 2, LONG);
    rig.queue.onReceive(worker::drain);

    assertTrue(start(worker).join(TestPatience.LONG));

    assertEquals("task.queued", rig.types(run).getLast());
    assertEquals(1, rig.queue.depth().waiting());
  }

  @Test
  void outlivesAnAttemptThatBreaks() {
    RunKey broken = rig.submit("hand", Map.of());
    rig.refuse(chunk -> chunk.key().equals(broken));
    start(rig.worker(gateway, 1, LONG));
    Signals.until(() -> rig.printed().contains("attempt_broke"));

    RunKey next = rig.submit("echo", Map.of());

    rig.untilLogged(next, "task.attempt.completed");
    assertTrue(rig.queue.runs().contains(broken));
  }

  @Test
  void endsTheAgentOfACancelledRun() {
    RunKey run = rig.submit("echo", NEVER_ENDING);
    start(rig.worker(gateway, 1, LONG));
    rig.untilLogged(run, "model.delta");

    rig.cancel(run);

    rig.untilLogged(run, "task.attempt.failed");
    assertEquals(Failure.CANCELLED, failure(run));
  }

  private String failure(RunKey run) {
    Attempt attempt =
        switch (rig.state(run)) {
          case RunState.InProgress running -> running.attempt();
          case RunState.Cancelling running -> running.attempt();
          case RunState other -> throw new AssertionError("the attempt has not ended: " + other);
        };
    return assertInstanceOf(Failure.class, attempt.failure()).code();
  }

  /// Time passes until something has happened, slowly enough for a slow machine to lose no lease.
  private static void passes(SettableClock clock, BooleanSupplier happened) {
    Signals.until(
        () -> {
          clock.advance(Duration.ofMillis(20));
          return happened.getAsBoolean();
        });
  }

  private static void succeed(AgentOutput agent) {
    agent.end(
        new AgentSignal.Ended(Optional.of(new Attempt.Exit(0, null)), 1, Optional.empty(), 0));
  }

  private Thread start(Worker worker) {
    Thread thread = Thread.ofPlatform().daemon().name("worker").start(worker::run);
    cleanups.add(
        () -> {
          worker.drain();
          thread.interrupt();
          hands.started().forEach(started -> succeed(started.output()));
          try {
            assertTrue(thread.join(TestPatience.LONG));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    return thread;
  }
}
