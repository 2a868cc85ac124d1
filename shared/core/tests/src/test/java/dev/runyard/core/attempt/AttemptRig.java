package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.memory.MemoryPlaces;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.request.JobItem;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import dev.runyard.core.wakeup.ProcessWakeups;
import dev.runyard.core.wakeup.WakeRunner;
import dev.runyard.core.wakeup.Wakeups;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// One submitted run on ports that fail when told to, with agents that the test controls and a
/// clock that moves only when told to.
final class AttemptRig {
  static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  static final int TIMEOUT_SECONDS = 600;
  static final Duration FLUSH = Duration.ofMillis(100);
  static final Duration LOOK = Duration.ofSeconds(1);
  static final Duration LEASE = Duration.ofSeconds(Limits.LEASE_SECONDS);
  private static final int STEPS_MAX = 100_000;

  final SettableClock clock = new SettableClock(START);
  final HandLog log = new HandLog();
  final HandQueue queue = new HandQueue(clock);
  final ProcessWakeups wakeups = new ProcessWakeups();
  final RunKey run;
  private Duration hang = Duration.ZERO;
  private final Duration flush;
  private Duration gather;
  private final Ids ids = new RandomIds(new Random(1));
  private final RunLog runs =
      new RunLog(log, Snapshots.none(), RunDecider.rules(), clock, ids, "test");

  AttemptRig() {
    this(RetryPolicy.NEVER, FLUSH);
  }

  AttemptRig(RetryPolicy retry) {
    this(retry, FLUSH);
  }

  AttemptRig(RetryPolicy retry, int timeoutSeconds) {
    this(retry, FLUSH, timeoutSeconds, RunBounds.NONE, null);
  }

  AttemptRig(RetryPolicy retry, Duration flush) {
    this(retry, flush, RunBounds.NONE);
  }

  AttemptRig(RetryPolicy retry, Duration flush, RunBounds bounds) {
    this(retry, flush, TIMEOUT_SECONDS, bounds, null);
  }

  AttemptRig(int timeoutSeconds, RunBounds bounds) {
    this(RetryPolicy.NEVER, FLUSH, timeoutSeconds, bounds, null);
  }

  /// The run of an item of a job.
  AttemptRig(RetryPolicy retry, JobItem item) {
    this(retry, FLUSH, TIMEOUT_SECONDS, RunBounds.NONE, item);
  }

  private AttemptRig(
      RetryPolicy retry,
      Duration flush,
      int timeoutSeconds,
      RunBounds bounds,
      @Nullable JobItem item) {
    this.flush = flush;
    this.gather = flush;
    run = new RunKey("acme", ids.runId(START));
    RunRequest request =
        new RunRequest(
            "echo",
            "say hello",
            "session-1",
            Map.of(),
            List.of(),
            null,
            timeoutSeconds,
            Map.of(),
            Map.of(),
            retry);
    RunRequest bounded = request.within(bounds);
    runs.execute(run, new RunCommand.Submit(item == null ? bounded : bounded.of(item)));
    queue.send(item == null ? QueueMessage.of(run) : QueueMessage.ofItem(run), 0);
  }

  /// From now on attempts gather for this long what nobody watches.
  void gather(Duration time) {
    gather = time;
  }

  /// Takes the run's message and begins an attempt with it.
  Try take(String attemptId) {
    return tryWith(queue.receive(1, 0).getFirst(), attemptId);
  }

  /// Begins an attempt with a received message.
  Try tryWith(Ticket ticket, String attemptId) {
    return new Try(ticket, attemptId);
  }

  /// An attempt whose agent runs.
  Try running(String attemptId) {
    Try attempt = take(attemptId);
    attempt.step();
    attempt.step();
    return attempt;
  }

  /// Others receive the run's message, because nobody extends its lease, until one of them ends the
  /// attempt that claimed with it.
  Try takenOver() {
    pass(LEASE.plusSeconds(1));
    assertEquals(Step.Verdict.DEFERRED, take("attempt-sees").finish());
    pass(Duration.ofSeconds(Limits.ALIVE_SECONDS));
    Try ends = take("attempt-ends");
    assertEquals(Step.Verdict.NOT_NEEDED, ends.finish());
    return ends;
  }

  /// The same, and `advance` sends the run to another runner.
  Try startedAgain(String attemptId) {
    takenOver();
    advance();
    return running(attemptId);
  }

  /// Decides the run's `number`-th action; null when the decision counted.
  Decision.@Nullable Reason decide(int number, ActionDecision decision) {
    String id = ActionId.of(run, number);
    RunLog.Outcome outcome =
        runs.execute(run, new RunCommand.Resolve(id, decision, null, "somebody", clock.instant()));
    wake();
    return outcome instanceof RunLog.Outcome.Refused refused ? refused.reason() : null;
  }

  void say(String messageId) {
    runs.execute(run, new RunCommand.Message(messageId, "content of " + messageId, null));
    wake();
  }

  /// Wakes the runner of the run's attempt.
  void wake() {
    new WakeRunner(wakeups, ids).wake(state());
  }

  Question question(int number, ActionType type, int timeoutSeconds) {
    return new Question(
        ActionId.of(run, number), type, "Which?", null, List.of(), timeoutSeconds, null);
  }

  void cancel() {
    cancelUnheard();
    wake();
  }

  /// Has the run give its place up.
  void putAside() {
    runs.execute(run, new RunCommand.PutAside("later", Requester.of("key:k1")));
    wake();
  }

  /// Lets it go on.
  void goOn() {
    runs.execute(run, new RunCommand.GoOn(Requester.of("key:k1")));
    wake();
  }

  /// A cancel of which the runner is not told.
  void cancelUnheard() {
    runs.execute(run, new RunCommand.Cancel("changed my mind"));
  }

  RunState advance() {
    return new AdvanceRun(runs, MemoryPlaces.turns(log, runs, queue, clock, ids), clock)
        .advance(run);
  }

  RunState state() {
    return runs.load(run);
  }

  void pass(Duration time) {
    clock.advance(time);
  }

  List<Chunk> chunks() {
    return log.all(run);
  }

  List<RunEvent> events() {
    return chunks().stream()
        .flatMap(chunk -> chunk.events(EventCodec.RUNS).stream())
        .map(StoredEvent::event)
        .toList();
  }

  /// The types of all events from the `skip`-th on, in order.
  List<String> types(int skip) {
    return chunks().stream()
        .flatMap(chunk -> chunk.events(EventCodec.RUNS).stream())
        .map(StoredEvent::type)
        .skip(skip)
        .toList();
  }

  /// The runner's machine reaches nothing any more: each of its calls takes that long and gets no
  /// answer.
  void cutOff(Duration call) {
    log.hang(() -> pass(call));
    queue.hang(() -> pass(call));
    hang = call;
  }

  /// Wake-ups as a runner reaches them.
  private final class ReachedWakeups implements Wakeups {
    @Override
    public void send(String runner, String mark) {
      throw new AssertionError("a runner wakes nobody");
    }

    @Override
    public Optional<String> last(String runner) {
      if (!hang.isZero()) {
        pass(hang);
        throw new PortUnavailable("the wake-ups are down");
      }
      return wakeups.last(runner);
    }
  }

  /// One runner's attempt at the run.
  final class Try {
    final HandAgent agent = new HandAgent();
    private final AttemptLoop loop;

    private Try(Ticket ticket, String attemptId) {
      AttemptTiming timing = new AttemptTiming(flush, gather, LOOK, LEASE);
      String runner = "runner-of-" + attemptId;
      loop =
          new AttemptLoop(
              new AttemptPorts(runs, queue, new ReachedWakeups()),
              RunnerShare.of(runner, timing),
              agent.launchedBy(() -> types(0)),
              timing,
              new AttemptClaim(ticket, attemptId, runner),
              clock.instant());
    }

    Step step() {
      return loop.step(clock.instant());
    }

    void appended(long sequence) {
      loop.appended(sequence);
    }

    void drain() {
      loop.drain();
    }

    /// The instant the next step wants.
    Instant next() {
      return at(step());
    }

    /// Steps as a runner does for `time`, or until the attempt is over; returns the instants of the
    /// steps.
    List<Instant> during(Duration time) {
      Instant end = clock.instant().plus(time);
      List<Instant> steps = new ArrayList<>();
      while (clock.instant().isBefore(end)) {
        steps.add(clock.instant());
        Step step = step();
        if (step instanceof Step.Over) {
          return steps;
        }
        Instant next = at(step);
        Instant soonest = clock.instant().plusMillis(1);
        Instant to = next.isBefore(soonest) ? soonest : next;
        clock.set(to.isAfter(end) ? end : to);
      }
      return steps;
    }

    /// Steps until the attempt is over.
    Step.Verdict finish() {
      for (int i = 0; i < STEPS_MAX; i++) {
        Step step = step();
        if (step instanceof Step.Over over) {
          return over.verdict();
        }
        Instant next = at(step);
        if (next.isAfter(clock.instant())) {
          clock.set(next);
        }
      }
      throw new AssertionError("the attempt does not end");
    }

    private static Instant at(Step step) {
      return switch (step) {
        case Step.Again again -> again.notAfter();
        case Step.Pause pause -> pause.until();
        case Step.Over over -> throw new AssertionError("over as " + over.verdict());
      };
    }
  }
}
