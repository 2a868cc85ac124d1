package dev.runyard.runner;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.fleet.Fleet;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.SlotHold;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.fleet.StartTrouble;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.RecordingBackend;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.backend.echo.EchoBackend;
import dev.runyard.runner.log.RunnerLog;
import dev.runyard.testkit.threads.TestPatience;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// What a worker tells the fleet when it takes no more runs, and whether it stays where another
/// leaves.
@Execution(ExecutionMode.CONCURRENT)
final class LeavingWorkerTest {
  private static final Duration IDLE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofDays(3650);
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final Slot.Claimed OTHER = new Slot.Free(0, 0).claim("other", START);

  @TempDir private Path directory;
  private final SettableClock clock = new SettableClock(START);
  private final RecordingBackend hands = new RecordingBackend("hand");
  private final AgentGateway gateway = new AgentGateway(List.of(hands, new EchoBackend()));
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final AtomicInteger reads = new AtomicInteger();
  private RunnerRig rig;
  private final List<Started> started = new ArrayList<>();

  private record Started(Worker worker, Thread thread) {
    void stop() {
      worker.drain();
      thread.interrupt();
    }
  }

  @BeforeEach
  void open() {
    rig = new RunnerRig(directory, clock);
  }

  @AfterEach
  void stopWhatWasStarted() throws InterruptedException {
    rig.slots.down(false);
    started.forEach(Started::stop);
    succeed();
    for (Started one : started) {
      assertTrue(one.thread().join(TestPatience.LONG));
    }
  }

  @Test
  void staysWhileTheRunnerBeforeItTakesNoMoreRunsAndLeavesOnceOneDoes() {
    assertTrue(rig.slots.write(OTHER));
    assertTrue(rig.slots.write(other(2, false)));
    Started own = start(new WorkerTerms(2, IDLE, LONG, 1));
    Signals.until(() -> reads.get() > 0);
    int taken = reads.get();

    passes(() -> reads.get() >= taken + 2);
    RunKey run = rig.submit("echo", Map.of());
    rig.untilLogged(run, "task.attempt.completed");
    assertFalse(log().contains("\"idle\""));

    assertTrue(rig.slots.write(other(3, true)));
    passes(() -> !own.thread().isAlive());
    assertTrue(log().contains("\"idle\""));
  }

  @Test
  void staysWhereItCannotSeeTheFleet() {
    Started own = start(new WorkerTerms(2, IDLE, LONG, 1));
    Signals.until(() -> rig.slots.read().slot(RunnerRig.SLOT) instanceof Slot.Held);
    rig.slots.down(true);

    passes(() -> log().contains("slot_unreachable"));
    rig.slots.down(false);

    RunKey run = rig.submit("echo", Map.of());
    rig.untilLogged(run, "task.attempt.completed");
    assertTrue(own.thread().isAlive());
  }

  @Test
  void saysHowManyRunsOfTheQueueItEndsWhenItIsTooOld() {
    Duration age = Duration.ofSeconds(Limits.HEARTBEAT_SECONDS);
    start(new WorkerTerms(2, LONG, age, 0));
    busy();

    clock.advance(age);

    Signals.until(() -> finishing() == 1);
  }

  @Test
  void saysHowManyRunsOfTheQueueItEndsWhenItIsToldToStop() {
    Started own = start(new WorkerTerms(2, LONG, LONG, 0));
    busy();

    own.stop();

    Signals.until(() -> finishing() == 1);
  }

  private void busy() {
    rig.submit("hand", Map.of());
    Signals.until(() -> hands.started().size() == 1);
  }

  /// The runs of a worker that takes no more.
  private int finishing() {
    return rig.slots.read().slot(RunnerRig.SLOT) instanceof Slot.Held held && !held.taking()
        ? held.finishing()
        : 0;
  }

  /// The runner of the lowest slot.
  private static Slot other(int version, boolean taking) {
    return new Slot.Held(0, version, OTHER.claim(), "other", START, taking, 0, 0);
  }

  private Started start(WorkerTerms terms) {
    assertTrue(rig.slots.write(new Slot.Free(RunnerRig.SLOT, 0).claim("claim", START)));
    Worker worker =
        new Worker(
            rig.queue,
            rig.attempts(gateway, AgentSettings.NONE, Map.of()),
            terms,
            new SlotHold(counted(), RunnerRig.SLOT, "claim", "runner", () -> START),
            clock,
            new RunnerLog(new PrintStream(printed, true, StandardCharsets.UTF_8), clock));
    Started own =
        new Started(worker, Thread.ofPlatform().daemon().name("worker").start(worker::run));
    started.add(own);
    return own;
  }

  /// The slots; each read counts.
  private Slots counted() {
    return new Slots() {
      @Override
      public Fleet read() {
        Fleet fleet = rig.slots.read();
        reads.incrementAndGet();
        return fleet;
      }

      @Override
      public boolean write(Slot slot) {
        return rig.slots.write(slot);
      }

      @Override
      public boolean write(StartTrouble trouble) {
        return rig.slots.write(trouble);
      }
    };
  }

  private String log() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  /// Time passes until something has happened; for its slot it stands still.
  private void passes(BooleanSupplier happened) {
    Signals.until(
        () -> {
          clock.advance(Duration.ofMillis(20));
          return happened.getAsBoolean();
        });
  }

  private void succeed() {
    hands
        .started()
        .forEach(
            hand ->
                hand.output()
                    .end(
                        new AgentSignal.Ended(
                            Optional.of(new Attempt.Exit(0, null)), 1, Optional.empty(), 0)));
  }
}
