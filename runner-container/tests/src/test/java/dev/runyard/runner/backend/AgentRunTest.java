package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.attempt.Backlog;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.testkit.threads.TestPatience;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class AgentRunTest {
  private static final AgentSignal.Ended END =
      new AgentSignal.Ended(Optional.of(new Attempt.Exit(0, null)), 5, Optional.empty(), 0);
  private static final Failure FAILURE = Failure.backend("agent_error", "The agent failed.");

  private final AgentOutput output = new AgentOutput(EventShaper.bare());
  private volatile Runnable onStop = () -> {};
  private final AgentRun run =
      new AgentRun(output, AgentControl.withoutInput(output, () -> onStop.run()));

  @Test
  void handsOverEventsInOrderAndTheEndLast() throws InterruptedException {
    output.tell(new RunEvent.ModelDelta("a"));
    output.tell(new RunEvent.ModelDelta("b"));
    output.end(END);

    assertEquals(List.of(output("a"), output("b"), END), run.take(Backlog.EVENTS_MAX));
    assertEquals(List.of(), run.take(10));
  }

  @Test
  void handsOverNoMoreThanAsked() throws InterruptedException {
    output.tell(new RunEvent.ModelDelta("a"));
    output.tell(new RunEvent.ModelDelta("b"));

    assertEquals(List.of(), run.take(0));
    assertEquals(List.of(output("a")), run.take(1));
    assertEquals(List.of(output("b")), run.take(1));
  }

  @Test
  void letsTheAgentWaitWhileTheQueueIsFull() throws InterruptedException {
    int more = 10;
    Thread teller = tell(Backlog.EVENTS_MAX + more);
    Signals.untilWaiting(teller);

    assertEquals(Backlog.EVENTS_MAX, run.take(Integer.MAX_VALUE).size());
    assertTrue(teller.join(TestPatience.LONG));
    assertEquals(more, run.take(Integer.MAX_VALUE).size());
  }

  @Test
  void newsEndsTheWaitForTheAgent() throws InterruptedException {
    AtomicBoolean news = new AtomicBoolean();
    CountDownLatch asked = new CountDownLatch(1);
    Thread waiting =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    run.awaitSignal(
                        Duration.ofHours(1),
                        () -> {
                          asked.countDown();
                          return news.get();
                        });
                  } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                  }
                });
    asked.await();
    news.set(true);
    run.wake();

    assertTrue(waiting.join(TestPatience.LONG));
  }

  @Test
  void letsTheAgentWaitWhileTheQueueIsFullOfText() throws InterruptedException {
    String text = "x".repeat(Limits.TEXT_BYTES_MAX);
    Thread teller = tell(500, text);
    Signals.untilWaiting(teller);

    int full = run.take(Integer.MAX_VALUE).size();
    assertTrue(full <= Backlog.BYTES_MAX / Limits.TEXT_BYTES_MAX, "told: " + full);
    int all = full;
    while (all < 500) {
      run.awaitSignal(TestPatience.LONG);
      all += run.take(Integer.MAX_VALUE).size();
    }
    assertTrue(teller.join(TestPatience.LONG));
  }

  @Test
  void letsOneMoreInForEachOneTaken() throws InterruptedException {
    Thread teller = tell(Backlog.EVENTS_MAX + 2);
    Signals.untilWaiting(teller);

    assertEquals(List.of(output("0")), run.take(1));
    Signals.untilWaiting(teller);
    assertEquals(List.of(output("1")), run.take(1));

    assertTrue(teller.join(TestPatience.LONG));
  }

  @Test
  void reportsTheEndEvenWhenTheQueueIsFull() throws InterruptedException {
    Thread teller = tell(Backlog.EVENTS_MAX + 1);
    Signals.untilWaiting(teller);

    output.end(END);

    assertTrue(teller.join(TestPatience.LONG));
    List<AgentSignal> all = run.take(Integer.MAX_VALUE);
    assertEquals(Backlog.EVENTS_MAX + 1, all.size());
    assertEquals(END, all.getLast());
  }

  @Test
  void reportsOneEndAndNothingAfterIt() throws InterruptedException {
    output.end(END);
    output.end(new AgentSignal.Ended(Optional.empty(), 9, Optional.of(FAILURE), 3));
    output.tell(new RunEvent.ModelDelta("late"));

    assertEquals(List.of(END), run.take(10));
  }

  @Test
  void boundsWhatABackendSays() throws InterruptedException {
    output.tell(new RunEvent.ModelDelta("x".repeat(Limits.TEXT_BYTES_MAX + 1)));

    assertEquals(List.of(output("x".repeat(Limits.TEXT_BYTES_MAX)), output("x")), run.take(10));
  }

  @Test
  void stopsTheAgentOnceHoweverOftenItIsAsked() throws InterruptedException {
    Semaphore stops = new Semaphore(0);
    onStop = stops::release;
    assertFalse(output.stopAsked());

    run.stop();
    run.stop();

    assertTrue(output.stopAsked());
    assertTrue(stops.tryAcquire(TestPatience.LONG_SECONDS, TimeUnit.SECONDS));
    output.end(END);
    assertEquals(0, stops.availablePermits());
  }

  @Test
  void endsAnAgentByForceThoughItIsBeingStopped() throws InterruptedException {
    Semaphore kills = new Semaphore(0);
    AgentRun agent =
        new AgentRun(
            output,
            new AgentControl() {
              @Override
              public void deliver(AgentInput input) {}

              @Override
              public void stop() {}

              @Override
              public void kill() {
                kills.release();
              }
            });

    agent.stop(AgentHandle.Stop.GENTLY);
    agent.stop(AgentHandle.Stop.AT_ONCE);

    assertTrue(kills.tryAcquire(TestPatience.LONG_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void doesNotWaitForTheAgentToStop() throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    onStop =
        () -> {
          awaitQuietly(ended);
          output.end(END);
        };

    run.stop();

    assertEquals(List.of(), run.take(1));
    ended.countDown();
    assertEquals(END, Signals.of(run).end());
  }

  @Test
  void endsNoAgentThatHasEnded() throws InterruptedException {
    Semaphore stops = new Semaphore(0);
    onStop = stops::release;
    output.end(END);

    run.stop();

    assertFalse(output.stopAsked());
    assertEquals(0, stops.availablePermits());
  }

  @Test
  void dropsEventsOnceItIsAbandoned() throws InterruptedException {
    Thread teller = tell(3 * Backlog.EVENTS_MAX);
    Signals.untilWaiting(teller);
    onStop =
        () -> {
          awaitQuietly(teller);
          output.end(END);
        };

    run.abandon(TestPatience.LONG);

    assertFalse(teller.isAlive());
    assertEquals(List.of(END), run.take(10));
  }

  @Test
  void abandonsAnAgentThatDoesNotEndAfterAWhile() {
    run.abandon(Duration.ofMillis(20));

    assertTrue(output.stopAsked());
  }

  @Test
  void waitsForNewsNoLongerThanAsked() throws InterruptedException {
    long start = System.nanoTime();
    run.awaitSignal(Duration.ofMillis(20));
    assertTrue(System.nanoTime() - start >= 20_000_000);

    Thread waiting = Thread.ofVirtual().start(() -> awaitQuietly(run));
    Signals.until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    output.tell(new RunEvent.ModelCompleted());

    assertTrue(waiting.join(TestPatience.LONG));
  }

  @Test
  void tellsWhatComesBeforeAnAgentThatEndsAtOnce() {
    EventShaper shaper = EventShaper.bare();
    RunEvent before = new RunEvent.RuntimeWarning("w", "Told before.");
    shaper.first(List.of(before));
    AgentOutput ends = new AgentOutput(shaper);

    ends.end(new AgentSignal.Ended(Optional.of(new Attempt.Exit(0, null)), 1, Optional.empty(), 0));

    assertEquals(new AgentSignal.Output(before), ends.signals().take(10).getFirst());
  }

  @Test
  void endsAtOnceWhenItCouldNotBeStarted() {
    AgentRun failed = AgentRun.failed(FAILURE);

    assertEquals(
        List.of(
            new AgentSignal.Output(new RunEvent.RuntimeError(FAILURE.code(), FAILURE.message())),
            new AgentSignal.Ended(Optional.empty(), 0, Optional.of(FAILURE), 0)),
        failed.take(10));
  }

  private Thread tell(int events) {
    return tell(events, "");
  }

  private Thread tell(int events, String text) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                for (int i = 0; i < events; i++) {
                  output.tell(new RunEvent.ModelDelta(text.isEmpty() ? String.valueOf(i) : text));
                }
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
  }

  private static AgentSignal output(String text) {
    return new AgentSignal.Output(new RunEvent.ModelDelta(text));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertTrue(latch.await(TestPatience.LONG_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitQuietly(Thread thread) {
    try {
      thread.join(TestPatience.LONG);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitQuietly(AgentRun run) {
    try {
      run.awaitSignal(TestPatience.LONG);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
