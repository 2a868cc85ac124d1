package dev.runyard.core.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.SettableClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What commands do to the order of a thread's turns, and what its events say of that.
final class ThreadLogTest {
  private static final ThreadKey THREAD = new ThreadKey("acme", "thread-1");
  private static final Requester BY = new Requester("key:k1", "request-7");
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final QueuedTurn A = turn("a");
  private static final QueuedTurn B = turn("b");
  private static final QueuedTurn C = turn("c");
  private static final QueuedTurn D = turn("d");

  private final MemoryEventLog log = new MemoryEventLog();
  private final ThreadLog threads =
      new ThreadLog(log, new SettableClock(NOW), new RandomIds(new Random(3)), "t");

  private static QueuedTurn turn(String name) {
    return new QueuedTurn("turn-" + name, "run-" + name);
  }

  private ThreadDecision does(ThreadChange change) {
    return threads.execute(THREAD, change).decision();
  }

  private ThreadDecision settles(@Nullable QueuedTurn joining, String... ended) {
    long seen = threads.load(THREAD).sequence();
    return does(new ThreadChange.Settle("s-1", seen, List.of(), joining, Set.of(ended)));
  }

  private ThreadDecision takes(QueuedTurn joining, String... ended) {
    long seen = threads.load(THREAD).sequence();
    return does(new ThreadChange.Take("s-1", seen, List.of(), joining, Set.of(ended)));
  }

  private ThreadDecision withdraws(QueueChange change, String... runs) {
    return does(new ThreadChange.Withdraw(Set.of(runs), change, BY));
  }

  private ThreadDecision goesOn(boolean back) {
    long seen = threads.load(THREAD).sequence();
    ThreadOrigin from = new ThreadOrigin("turn-a", "run-a", List.of("run-b"));
    return does(new ThreadChange.GoOn("s-1", seen, from, back, BY));
  }

  private void queued(QueuedTurn... turns) {
    for (QueuedTurn turn : turns) {
      settles(turn);
    }
  }

  private List<QueuedTurn> order() {
    return threads.load(THREAD).turns();
  }

  private List<StoredThreadEvent> events() {
    List<StoredThreadEvent> events = new ArrayList<>();
    EventCursor<StoredThreadEvent> cursor = new EventCursor<>(log, ThreadCodec.THREADS, THREAD, 0);
    for (List<StoredThreadEvent> next = cursor.next(); !next.isEmpty(); next = cursor.next()) {
      events.addAll(next);
    }
    return events;
  }

  private ThreadEvent.QueueChanged newest() {
    return (ThreadEvent.QueueChanged) events().getLast().event();
  }

  @Test
  void beginsOnceInItsSession() {
    assertEquals(
        new ThreadDecision.Append(List.of(new ThreadEvent.ThreadStarted())),
        does(new ThreadChange.Begin("s-1")));
    assertEquals(new ThreadDecision.Stay(), does(new ThreadChange.Begin("s-2")));

    assertEquals("s-1", threads.load(THREAD).sessionId());
    assertEquals("idle", threads.load(THREAD).phase());
    assertFalse(threads.load(new ThreadKey("acme", "thread-2")).exists());
  }

  @Test
  void itsFirstTurnBeginsIt() {
    queued(A, B);

    assertEquals(
        List.of(ThreadEvent.STARTED, ThreadEvent.QUEUE_CHANGED, ThreadEvent.QUEUE_CHANGED),
        events().stream().map(StoredThreadEvent::type).toList());
    assertEquals(List.of(1L, 2L, 3L), events().stream().map(StoredThreadEvent::sequence).toList());
    assertTrue(events().stream().allMatch(event -> event.sessionId().equals("s-1")));
    assertEquals(List.of(A, B), order());
    assertEquals("busy", threads.load(THREAD).phase());
  }

  @Test
  void findsATurnByItsNameAndByItsRun() {
    queued(A, B);
    ThreadState state = threads.load(THREAD);

    assertEquals(Optional.of(B), state.find("turn-b"));
    assertEquals(Optional.of(B), state.find("run-b"));
    assertEquals(Optional.of(A), state.find("run-a"));
    assertEquals(Optional.empty(), state.find("run-c"));
  }

  @Test
  void turnsThatHaveEndedLoseTheirPlaces() {
    queued(A, B, C);
    settles(null, "run-a", "run-b");

    assertEquals(List.of(C), order());
    assertEquals(new ThreadEvent.QueueChanged(QueueChange.ENDED, null, List.of(C), null), newest());
    assertEquals(new ThreadDecision.Stay(), settles(null, "run-a"));
    assertNull(events().getLast().by());
  }

  @Test
  void aTurnComesOnceAlsoWhileAnotherEnds() {
    queued(A, B);

    assertEquals(new ThreadDecision.Stay(), settles(B));
    settles(C, "run-a");

    assertEquals(
        new ThreadEvent.QueueChanged(QueueChange.ADDED, "turn-c", List.of(B, C), null), newest());
  }

  @Test
  void whatAnEarlierReleasePutInOrderIsAddedAtOnce() {
    does(new ThreadChange.Settle("s-1", 0, List.of(A, B), null, Set.of("run-a")));

    assertEquals(new ThreadEvent.QueueChanged(QueueChange.ADDED, null, List.of(B), null), newest());
    does(new ThreadChange.Settle("s-1", 2, List.of(C), null, Set.of()));
    assertEquals(List.of(B), order());
  }

  @Test
  void whatWasDerivedFromAnEarlierStateIsStale() {
    queued(A, B);

    assertEquals(
        new ThreadDecision.Stale(),
        does(new ThreadChange.Settle("s-1", 2, List.of(), C, Set.of())));
    assertEquals(
        new ThreadDecision.Stale(),
        does(new ThreadChange.GoOn("s-1", 2, ThreadOrigin.NONE, false, BY)));
    assertEquals(
        new ThreadDecision.Stale(),
        does(new ThreadChange.Take("s-1", 2, List.of(), C, Set.of("run-a", "run-b"))));
    assertEquals(List.of(A, B), order());
  }

  @Test
  void isTakenOnlyWhenAllOthersHaveEnded() {
    takes(A);
    assertEquals(
        new ThreadEvent.QueueChanged(QueueChange.ADDED, "turn-a", List.of(A), null), newest());
    assertEquals(new ThreadDecision.Stay(), takes(A));
    assertEquals(new ThreadDecision.Busy(), takes(B));

    takes(B, "run-a");

    assertEquals(List.of(B), order());
    assertEquals("s-1", events().getFirst().sessionId());
  }

  @Test
  void aPlaceThatIsTakenAgainSaysWhenItWas() {
    takes(A.taken(NOW));
    QueuedTurn later = A.taken(NOW.plusMillis(1));

    takes(later);

    assertEquals(
        new ThreadEvent.QueueChanged(QueueChange.ADDED, "turn-a", List.of(later), null), newest());
    settles(A);
    queued(B);
    assertEquals(List.of(later, B), order());
  }

  @Test
  void storesWhenAPlaceWasTakenAndNothingForOthers() {
    takes(A.taken(NOW));
    queued(B);
    Chunk chunk = log.chunkAt(THREAD, Long.MAX_VALUE).orElseThrow();
    byte[] bytes = chunk.body().bytes();
    ChunkBody stored = ChunkBody.stored(chunk.first(), chunk.last(), bytes);

    assertEquals(chunk.events(ThreadCodec.THREADS), stored.events(ThreadCodec.THREADS, THREAD));
    assertEquals(List.of(A.taken(NOW), B), order());
  }

  @Test
  void oneTurnThatIsTakenOutIsNamed() {
    queued(A, B, C, D);

    withdraws(QueueChange.REMOVED, "run-b");

    assertEquals(
        new ThreadEvent.QueueChanged(QueueChange.REMOVED, "turn-b", List.of(A, C, D), null),
        newest());
    assertEquals(BY, events().getLast().by());
    assertEquals(new ThreadDecision.Stay(), withdraws(QueueChange.REMOVED, "run-b"));

    withdraws(QueueChange.CLEARED, "run-c", "run-d");

    assertEquals(
        new ThreadEvent.QueueChanged(QueueChange.CLEARED, null, List.of(A), null), newest());
  }

  @Test
  void aTurnThatWaitsBecomesTheNext() {
    queued(A, B, C);

    does(new ThreadChange.Promote("run-c", BY));

    assertEquals(
        new ThreadEvent.QueueChanged(QueueChange.PROMOTED, "turn-c", List.of(A, C, B), null),
        newest());
    assertEquals(BY, events().getLast().by());
    assertEquals(new ThreadDecision.Stay(), does(new ThreadChange.Promote("run-c", BY)));
  }

  @Test
  void onlyATurnThatWaitsBecomesTheNext() {
    assertEquals(new ThreadDecision.NotQueued(), does(new ThreadChange.Promote("run-a", BY)));
    queued(A, B);

    assertEquals(new ThreadDecision.NotQueued(), does(new ThreadChange.Promote("run-a", BY)));
    assertEquals(new ThreadDecision.NotQueued(), does(new ThreadChange.Promote("run-c", BY)));
    assertEquals(new ThreadDecision.Stay(), does(new ThreadChange.Promote("run-b", BY)));
  }

  @Test
  void remembersWhatItGoesOnFrom() {
    queued(A);
    settles(null, "run-a");

    goesOn(true);

    ThreadState back = threads.load(THREAD);
    ThreadOrigin from = new ThreadOrigin("turn-a", "run-a", List.of("run-b"));
    assertEquals(5, back.base());
    assertEquals(from, threads.base(THREAD, back));
    assertEquals(BY, events().getLast().by());
    queued(B);
    assertEquals(from, threads.base(THREAD, threads.load(THREAD)));
    assertEquals(5L, newest().base());
  }

  @Test
  void mayBeginWithWhatAnotherTurnLeft() {
    goesOn(false);

    assertEquals(
        List.of(ThreadEvent.STARTED, ThreadEvent.RECONSTRUCTED),
        events().stream().map(StoredThreadEvent::type).toList());
    assertEquals("s-1", threads.load(THREAD).sessionId());
    assertEquals("run-a", threads.base(THREAD, threads.load(THREAD)).runId());
  }

  @Test
  void refusesAnEventThatIsNotTheNext() {
    queued(A);
    ThreadState state = threads.load(THREAD);

    assertThrows(IllegalStateException.class, () -> state.then(events().getFirst()));
  }
}
