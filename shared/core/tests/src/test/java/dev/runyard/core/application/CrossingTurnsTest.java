package dev.runyard.core.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.Busy;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.ChangeQueue;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.thread.QueueChange;
import dev.runyard.core.thread.QueuedTurn;
import dev.runyard.core.thread.ThreadKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Requests for one thread that cross: one does all of its work just before a write of the other.
final class CrossingTurnsTest {
  private static final SubmitRun.By BY = new SubmitRun.By("acme", "somebody");
  private static final String SESSION = "s-1";
  private static final SubmitRun.Check NO_CHECK = (_, _) -> Optional.empty();
  private static final ThreadTurns.In THREAD = in(SESSION);
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final Crossed log = new Crossed(new MemoryEventLog());
  private final MemoryPorts ports = new MemoryPorts(log, clock);
  private final Quotas quotas = Quotas.parse("{\"default\":{\"open_runs_max\":50}}");
  private final UseCases cases = new UseCases(ports, StackTerms.of(quotas), clock, ids, "test");
  private final ThreadTurns turns = cases.threadTurns();

  @Test
  void oneOfTwoThatWillNotWaitIsAccepted() {
    SubmitRun.Result[] other = new SubmitRun.Result[1];
    log.before(RunKey.class::isInstance, () -> other[0] = submit(SESSION, Busy.REJECT));

    RunKey run = accepted(submit(SESSION, Busy.REJECT));

    assertEquals(ProblemCode.THREAD_BUSY, refused(other[0]).code());
    assertEquals(List.of(run.runId()), turns.read(THREAD).runs());
  }

  @Test
  void aPlaceWhoseRunWasNeverWrittenIsKeptForATime() {
    assertTrue(turns.take(THREAD, absent()));
    clock.advance(Duration.ofSeconds(ThreadTurns.PLACE_SECONDS));
    assertEquals(ProblemCode.THREAD_BUSY, refused(submit(SESSION, Busy.REJECT)).code());

    clock.advance(Duration.ofMillis(1));
    accepted(submit(SESSION, Busy.REJECT));
  }

  @Test
  void aPlaceThatIsTakenAgainForTheSameRunIsKeptAgain() {
    dieBeforeTheRunIsWritten();
    SubmitRun.Result[] other = new SubmitRun.Result[1];
    log.before(RunKey.class::isInstance, () -> other[0] = submit(SESSION, Busy.REJECT));

    RunKey run = accepted(submitKeyed());

    assertEquals(ProblemCode.THREAD_BUSY, refused(other[0]).code());
    assertEquals(List.of(run.runId()), turns.read(THREAD).runs());
  }

  /// Another finds the place over, and writes so only after it was taken again.
  @Test
  void aPlaceThatIsTakenAgainMeanwhileIsNotTakenAway() {
    dieBeforeTheRunIsWritten();
    SubmitRun.Result[] again = new SubmitRun.Result[1];
    log.before(ThreadKey.class::isInstance, () -> again[0] = submitKeyed());

    SubmitRun.Result other = submit(SESSION, Busy.REJECT);

    RunKey run = accepted(again[0]);
    assertEquals(ProblemCode.THREAD_BUSY, refused(other).code());
    assertEquals(List.of(run.runId()), turns.read(THREAD).runs());
  }

  @Test
  void aPlaceIsKeptFromAFunctionWhoseClockIsAhead() {
    Duration skew = Duration.ofSeconds(Limits.CLOCK_SKEW_SECONDS_MAX);
    SubmitRun.Result[] other = new SubmitRun.Result[1];
    log.before(
        RunKey.class::isInstance,
        () -> {
          clock.advance(skew);
          other[0] = submit(SESSION, Busy.REJECT);
          clock.advance(skew.negated());
        });

    RunKey run = accepted(submit(SESSION, Busy.REJECT));

    assertEquals(ProblemCode.THREAD_BUSY, refused(other[0]).code());
    assertEquals(List.of(run.runId()), turns.read(THREAD).runs());
  }

  /// The place is as old as it was, though the order has changed since.
  @Test
  void whoeverComesBehindAPlaceDoesNotKeepItForLonger() {
    assertTrue(turns.take(THREAD, absent()));
    clock.advance(Duration.ofSeconds(ThreadTurns.PLACE_SECONDS));
    RunKey waiting = accepted(submit(SESSION, Busy.QUEUE));
    assertEquals(List.of(), ports.queue().runs());

    clock.advance(Duration.ofMillis(1));
    cases.turnOrder().send(state(waiting), 0);

    assertEquals(List.of(waiting.runId()), turns.read(THREAD).runs());
    assertEquals(List.of(waiting), ports.queue().runs());
  }

  @Test
  void whoeverWaitsBehindAPlaceThatIsGivenBackIsSent() {
    QueuedTurn taken = absent();
    assertTrue(turns.take(THREAD, taken));
    RunKey waiting = accepted(submit(SESSION, Busy.QUEUE));
    assertEquals(List.of(), ports.queue().runs());

    cases.turnOrder().leave(THREAD, taken.runId());

    assertEquals(List.of(waiting), ports.queue().runs());
  }

  /// A session may be named as a run is that nobody has submitted.
  @Test
  void noRunWaitsForOneThatIsOnlyNamed() {
    String session = ids.runId(clock.instant());
    RunRequest request = request(session).in(new InThread(null, null, Busy.REJECT));

    RunKey run = accepted(cases.submitRun().submit(BY, request, Optional.empty()));

    assertEquals(List.of(run), ports.queue().runs());
  }

  @ParameterizedTest
  @EnumSource(
      value = Busy.class,
      names = {"QUEUE", "REJECT"})
  void aRunIsNotInAnotherSessionThanItNames(Busy busy) {
    log.before(ThreadKey.class::isInstance, () -> turns.begin(in("s-2")));

    Problem problem = refused(submit(SESSION, busy));

    assertEquals(ProblemCode.INVALID_REQUEST, problem.code());
    assertEquals(List.of("/thread_id"), problem.pointers());
    assertEquals(List.of(), turns.read(THREAD).runs());
    assertEquals(Set.of(), ports.uses().read(BY.tenant()).open());
    assertEquals(List.of(), ports.queue().runs());
  }

  @Test
  void aRunThatNamesNoSessionIsInThatOfItsThread() {
    log.before(ThreadKey.class::isInstance, () -> turns.begin(in("s-2")));

    RunKey run = accepted(submit("", Busy.QUEUE));

    assertEquals("s-2", state(run).facts().request().sessionId());
  }

  @Test
  void aTurnThatWasWithdrawnIsRemovedThoughItHasLostItsPlaceMeanwhile() {
    accepted(submit(SESSION, Busy.QUEUE));
    RunKey run = accepted(submit(SESSION, Busy.QUEUE));
    log.before(
        RunKey.class::isInstance,
        () ->
            turns.withdraw(
                THREAD, Set.of(run.runId()), QueueChange.CLEARED, Requester.of("another")));

    ChangeQueue.Result result =
        cases.changeQueue().remove(THREAD, state(run), Requester.of("somebody"));

    assertInstanceOf(ChangeQueue.Result.Done.class, result);
    assertFalse(turns.read(THREAD).runs().contains(run.runId()));
    assertInstanceOf(
        ChangeQueue.Result.Unchanged.class,
        cases.changeQueue().remove(THREAD, state(run), Requester.of("somebody")));
  }

  @Test
  void aMessageThatComesTooLateForItsTurnBecomesATurnOfItsOwn() {
    SubmitRun submit = cases.submitRun(cases.runningTurn(AgentCatalog.builtIn()), NO_CHECK);
    RunRequest talk = request("pi", SESSION);
    RunKey running =
        accepted(submit.submit(BY, talk.in(InThread.of("t-1", null, null)), Optional.empty()));
    RunRequest request = talk.in(new InThread("t-1", "late", Busy.STEER));
    Optional<SubmitRun.Key> key = Optional.of(new SubmitRun.Key("k", "f"));
    log.before(running::equals, () -> end(running));

    RunKey own = accepted(submit.submit(BY, request, key));

    assertNotEquals(running, own);
    assertEquals(own, accepted(submit.submit(BY, request, key)));
    assertEquals(List.of(own.runId()), turns.read(THREAD).runs());
    end(own);
    assertEquals(own, cases.findTurn().of(THREAD, "late").orElseThrow().facts().run());
  }

  @Test
  void whoInterruptsATurnThatIsOnlyBeingWrittenHasToAskAgain() {
    SubmitRun submit = cases.submitRun(cases.runningTurn(AgentCatalog.builtIn()), NO_CHECK);
    RunKey slow = new RunKey(BY.tenant(), ids.runId(clock.instant()));
    assertTrue(turns.take(THREAD, new QueuedTurn("slow", slow.runId())));
    RunRequest request = request(SESSION).in(new InThread("t-1", "urgent", Busy.INTERRUPT));

    assertThrows(PortUnavailable.class, () -> submit.submit(BY, request, Optional.empty()));
    RunRequest asked = request(SESSION).in(InThread.of("t-1", "slow", null));
    cases.runs().execute(slow, RunState.absent(), new RunCommand.Submit(asked, "another"));
    RunKey urgent = accepted(submit.submit(BY, request, Optional.empty()));

    assertInstanceOf(RunState.CancellingIdle.class, state(slow));
    assertEquals(List.of(slow.runId(), urgent.runId()), turns.read(THREAD).runs());
  }

  private void end(RunKey run) {
    cases.cancelRun().cancel(run, "test", "somebody");
    cases.advanceRun().advance(run);
  }

  private QueuedTurn absent() {
    return new QueuedTurn("a", ids.runId(clock.instant()));
  }

  private RunState.Existing state(RunKey run) {
    return (RunState.Existing) cases.runs().load(run);
  }

  private SubmitRun.Result submit(String session, Busy busy) {
    RunRequest request = request(session).in(new InThread("t-1", null, busy));
    return cases.submitRun().submit(BY, request, Optional.empty());
  }

  /// A request with a key, whose function takes the place, dies, and is as good as forgotten.
  private void dieBeforeTheRunIsWritten() {
    log.before(
        RunKey.class::isInstance,
        () -> {
          throw new PortUnavailable("died");
        });
    assertThrows(PortUnavailable.class, this::submitKeyed);
    assertEquals(1, turns.read(THREAD).turns().size());
    clock.advance(Duration.ofSeconds(ThreadTurns.PLACE_SECONDS + 1));
  }

  private SubmitRun.Result submitKeyed() {
    RunRequest request = request(SESSION).in(new InThread("t-1", null, Busy.REJECT));
    return cases.submitRun().submit(BY, request, Optional.of(new SubmitRun.Key("k", "f")));
  }

  private static RunKey accepted(SubmitRun.Result result) {
    return assertInstanceOf(SubmitRun.Result.Accepted.class, result).run().facts().run();
  }

  private static Problem refused(SubmitRun.Result result) {
    return assertInstanceOf(SubmitRun.Result.Rejected.class, result).problem();
  }

  private static ThreadTurns.In in(String session) {
    return new ThreadTurns.In(new ThreadKey(BY.tenant(), "t-1"), session);
  }

  private static RunRequest request(String session) {
    return request("echo", session);
  }

  private static RunRequest request(String agent, String session) {
    return new RunRequest(
        agent, "hi", session, Map.of(), List.of(), null, 60, Map.of(), Map.of(), RetryPolicy.NEVER);
  }

  /// A log before one write of which something else happens.
  private static final class Crossed implements EventLog {
    private final EventLog log;
    private Predicate<StreamKey> when = _ -> false;
    private Runnable first = () -> {};

    Crossed(EventLog log) {
      this.log = log;
    }

    void before(Predicate<StreamKey> writes, Runnable does) {
      when = writes;
      first = does;
    }

    @Override
    public AppendResult append(Chunk chunk) {
      if (when.test(chunk.key())) {
        when = _ -> false;
        first.run();
      }
      return log.append(chunk);
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      return log.chunksAfter(key, sequence);
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      return log.chunkAt(key, sequence);
    }
  }
}
