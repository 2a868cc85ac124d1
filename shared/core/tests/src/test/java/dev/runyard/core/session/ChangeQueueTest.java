package dev.runyard.core.session;

import static dev.runyard.core.session.ThreadRig.BY;
import static dev.runyard.core.session.ThreadRig.THREAD;
import static dev.runyard.core.session.ThreadRig.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.ChangeQueue.Meant;
import dev.runyard.core.session.ChangeQueue.Result;
import dev.runyard.core.thread.QueueChange;
import dev.runyard.core.thread.QueuedTurn;
import dev.runyard.core.thread.ThreadEvent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What people do with the turns of a thread that has three of them.
final class ChangeQueueTest {
  private static final ChangeQueue.Wish WISH = new ChangeQueue.Wish("changed my mind", BY);

  private final ThreadRig rig = new ThreadRig();
  private final ChangeQueue queue = rig.cases.changeQueue();
  private final RunKey a = rig.submitted("a");
  private final RunKey b = rig.submitted("b");
  private final RunKey c = rig.submitted("c");

  @Test
  void aTurnWaitsBehindAnotherOfItsThread() {
    assertFalse(queue.waits(rig.state(a)));
    assertTrue(queue.waits(rig.state(b)));
    assertTrue(queue.waits(rig.state(c)));

    rig.end(a);
    assertFalse(queue.waits(rig.state(a)), "it has ended");
    assertFalse(queue.waits(rig.state(b)), "it is its turn");
  }

  @Test
  void theFirstRunOfASessionWaitsForNoOther() {
    RunKey first = rig.submitted(SampleRequests.echo(""));
    RunKey second = rig.submitted(SampleRequests.echo(first.runId()));

    assertFalse(queue.waits(rig.state(first)));
    assertTrue(queue.waits(rig.state(second)));
  }

  @Test
  void aTurnThatIsRemovedEndsAndLosesItsPlace() {
    Result.Done done = assertInstanceOf(Result.Done.class, remove(b));

    assertEquals(ids(a, c), done.thread().runs());
    assertEquals(ids(a, c), rig.order());
    assertEquals("removed from the queue", withdrawn(b).reason());
    assertInstanceOf(RunState.Created.class, rig.state(a));
    assertEquals(changed(QueueChange.REMOVED, "b", a, c), newest());
    assertEquals(BY, rig.events().getLast().by());
  }

  @Test
  void aTurnIsRemovedOnce() {
    remove(b);
    long sequence = rig.turns.read(THREAD).sequence();

    assertEquals(new Result.Unchanged(rig.turns.read(THREAD)), remove(b));
    assertEquals(sequence, rig.turns.read(THREAD).sequence());
  }

  @Test
  void whatDoesNotWaitIsNotRemoved() {
    assertEquals(new Result.NotQueued(), remove(a), "it is its turn");
    rig.claimed(b);
    assertEquals(new Result.NotQueued(), remove(b), "a runner has it");

    assertEquals(ids(a, b, c), rig.order());
    assertInstanceOf(RunState.Created.class, rig.state(a));
    assertInstanceOf(RunState.InProgress.class, rig.state(b));
  }

  @Test
  void aTurnThatRanIsNotRemovedAfterwards() {
    rig.claimed(a);
    rig.end(a);

    assertEquals(new Result.NotQueued(), remove(a));
  }

  @Test
  void aTurnThatIsPromotedIsTheNext() {
    Result.Done done = assertInstanceOf(Result.Done.class, promote(c, false));

    assertEquals(ids(a, c, b), done.thread().runs());
    assertEquals(changed(QueueChange.PROMOTED, "c", a, c, b), newest());
    assertEquals(BY, rig.events().getLast().by());
    assertEquals(new Result.Unchanged(done.thread()), promote(c, false));
    assertEquals(new Result.Unchanged(done.thread()), promote(c, true));
  }

  @Test
  void onlyATurnThatWaitsIsPromoted() {
    assertEquals(new Result.NotQueued(), promote(a, false));
    rig.end(a);
    assertEquals(new Result.NotQueued(), promote(a, false));
    assertEquals(ids(b, c), rig.order());
  }

  @Test
  void whoRepeatsAWishMayFindThatTheTurnHasBegun() {
    assertEquals(new Result.Unchanged(rig.turns.read(THREAD)), promote(a, true));
    assertInstanceOf(Result.Done.class, promote(c, true), "the first request was lost");
  }

  @Test
  void knowsTheTurnThatTheThreadHas() {
    assertEquals(Optional.of(rig.state(a)), queue.current(THREAD));
    rig.end(a);
    assertEquals(Optional.of(rig.state(b)), queue.current(THREAD));
    rig.end(b);
    rig.end(c);
    assertEquals(Optional.empty(), queue.current(THREAD));
  }

  @Test
  void anInterruptIsForTheTurnAndThoseThatWait() {
    promote(c, false);
    assertEquals(meant(a, c), queue.meant(THREAD, a.runId(), true), "the newest is not the last");
    assertEquals(meant(a, null), queue.meant(THREAD, a.runId(), false));
    assertEquals(meant(b, null), queue.meant(THREAD, b.runId(), true), "it is not its turn");

    remove(b);
    remove(c);
    assertEquals(meant(a, null), queue.meant(THREAD, a.runId(), true), "none waits");
  }

  @Test
  void whatAnInterruptIsForCanBeKeptAsText() {
    assertEquals(a.runId() + "/" + c.runId(), meant(a, c).text());
    assertEquals(a.runId(), meant(a, null).text());
    assertEquals(meant(a, c), Meant.of(meant(a, c).text()));
    assertEquals(meant(a, null), Meant.of(meant(a, null).text()));
  }

  @Test
  void anInterruptEndsTheTurnAlone() {
    assertTrue(queue.interrupt(THREAD, meant(a, null), WISH));

    assertEquals("changed my mind", withdrawn(a).reason());
    assertEquals(ids(a, b, c), rig.order());
    assertInstanceOf(RunState.Created.class, rig.state(b));
  }

  @Test
  void anInterruptRemovesThoseThatWaitedWhenItWasAskedFor() {
    rig.claimed(a);
    RunKey later = rig.submitted("later");

    assertTrue(queue.interrupt(THREAD, meant(a, c), WISH));

    RunState.Cancelling current =
        assertInstanceOf(RunState.Cancelling.class, rig.state(a), "its runner ends it");
    assertEquals("changed my mind", current.reason());
    assertEquals("removed from the queue", withdrawn(b).reason());
    assertEquals("removed from the queue", withdrawn(c).reason());
    assertInstanceOf(RunState.Created.class, rig.state(later));
    assertEquals(new QueuedTurn("later", later.runId()), rig.turns.read(THREAD).turns().getLast());
    assertEquals(ids(a, later), rig.order());
    assertEquals(QueueChange.CLEARED, newest().change());
    assertEquals(BY, rig.events().getLast().by());
  }

  @Test
  void anInterruptThatComesAgainRemovesWhatIsLeft() {
    rig.end(a);

    assertTrue(queue.interrupt(THREAD, meant(a, b), WISH));

    withdrawn(b);
    assertEquals(ids(c), rig.order());
    assertFalse(queue.interrupt(THREAD, meant(a, b), WISH));
  }

  @Test
  void anInterruptOfAnotherTurnEndsNothing() {
    long sequence = rig.turns.read(THREAD).sequence();

    assertFalse(queue.interrupt(THREAD, meant(b, null), WISH));
    rig.end(a);
    assertFalse(queue.interrupt(THREAD, meant(a, null), WISH));

    assertInstanceOf(RunState.Created.class, rig.state(b));
    assertEquals(sequence + 1, rig.turns.read(THREAD).sequence(), "one turn ended");
  }

  @Test
  void anInterruptLeavesATurnThatHasBegun() {
    rig.end(a);
    rig.claimed(b);
    long sequence = rig.turns.read(THREAD).sequence();

    assertFalse(queue.interrupt(THREAD, meant(a, b), WISH));

    assertInstanceOf(RunState.InProgress.class, rig.state(b));
    assertEquals(ids(b, c), rig.order());
    assertEquals(sequence, rig.turns.read(THREAD).sequence());
  }

  private Result remove(RunKey turn) {
    return queue.remove(THREAD, rig.state(turn), BY);
  }

  private Result promote(RunKey turn, boolean again) {
    return queue.promote(THREAD, turn.runId(), again, BY);
  }

  private static Meant meant(RunKey turn, @Nullable RunKey newest) {
    return new Meant(turn.runId(), Optional.ofNullable(newest).map(RunKey::runId));
  }

  private RunState.CancellingIdle withdrawn(RunKey turn) {
    return assertInstanceOf(RunState.CancellingIdle.class, rig.state(turn));
  }

  private ThreadEvent.QueueChanged newest() {
    return (ThreadEvent.QueueChanged) rig.events().getLast().event();
  }

  private ThreadEvent.QueueChanged changed(QueueChange change, String turn, RunKey... order) {
    List<QueuedTurn> turns =
        Stream.of(order)
            .map(
                run ->
                    new QueuedTurn(
                        rig.state(run).facts().request().turnId().orElseThrow(), run.runId()))
            .toList();
    return new ThreadEvent.QueueChanged(change, turn, turns, null);
  }
}
