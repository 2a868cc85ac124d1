package dev.runyard.core.session;

import static dev.runyard.core.session.ThreadRig.SESSION;
import static dev.runyard.core.session.ThreadRig.TENANT;
import static dev.runyard.core.session.ThreadRig.THREAD;
import static dev.runyard.core.session.ThreadRig.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.thread.QueuedTurn;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Pages of runs as readers of sessions and threads see them.
final class ThreadPagesTest {
  /// Pages of its session that one page of a thread looks at.
  private static final int LOOKS = 5;

  private final ThreadRig rig = new ThreadRig();
  private final ReadThread read = rig.cases.readThread();

  @Test
  void aPageOfASessionHasTheRunsOfAllItsThreads() {
    RunKey a = rig.submitted("a");
    RunKey other = rig.submitted(ThreadRig.in("t-2"));
    rig.submitted(SampleRequests.echo("s-2"));
    RunKey own = rig.submitted(SampleRequests.echo(SESSION));

    RunPage page = read.page(TENANT, SESSION, 2, Optional.empty());
    assertEquals(ids(own, other), listed(page));
    assertEquals(Optional.of(other.runId()), page.next());
    assertPage(read.page(TENANT, SESSION, 2, page.next()), Optional.empty(), a);
  }

  @Test
  void aPageOfAThreadLeavesOutTheOthersOfItsSession() {
    RunKey a = rig.submitted("a");
    rig.submitted(ThreadRig.in("t-2"));
    RunKey b = rig.submitted("b");
    RunKey c = rig.submitted("c");
    rig.submitted(ThreadRig.in("t-2"));

    assertPage(page(3, Optional.empty()), Optional.empty(), c, b, a);
    assertPage(page(2, Optional.empty()), Optional.of(b), c, b);
    assertPage(page(2, Optional.of(b.runId())), Optional.empty(), a);
    assertPage(page(1, Optional.of(c.runId())), Optional.of(b), b);
    assertPage(page(100, Optional.of(a.runId())), Optional.empty());
  }

  @Test
  void aFullPageWithOthersBehindItHasANextOne() {
    rig.submitted(ThreadRig.in("t-2"));
    RunKey a = rig.submitted("a");
    RunKey b = rig.submitted("b");

    assertPage(page(2, Optional.empty()), Optional.of(a), b, a);
    assertPage(page(2, Optional.of(a.runId())), Optional.empty());
  }

  @Test
  void aPageIsShortBehindManyOthers() {
    RunKey a = rig.submitted("a");
    List<RunKey> others =
        IntStream.range(0, LOOKS).mapToObj(_ -> rig.submitted(ThreadRig.in("t-2"))).toList();

    assertPage(page(1, Optional.empty()), Optional.of(others.getFirst()));
    assertPage(page(1, Optional.of(others.getFirst().runId())), Optional.empty(), a);
    assertPage(page(1, Optional.of(others.getLast().runId())), Optional.empty(), a);
  }

  @Test
  void theFirstPageHasTurnsThatAreNotListedYet() {
    RunKey a = rig.submitted("a");
    RunPage none = new RunPage(List.of(), Optional.empty());
    RunKey b = rig.unlisted("b");
    RunKey c = rig.unlisted("c");
    rig.turns.settle(
        THREAD, new QueuedTurn("coming", rig.ids.runId(rig.clock.instant())), Set.of());
    RunPage first = page(10, Optional.empty());

    assertPage(first, Optional.empty(), a);
    assertPage(withNew(first, 3), Optional.empty(), c, b, a);
    assertPage(withNew(first, 2), Optional.of(b), c, b);
    assertPage(withNew(none, 10), Optional.empty(), c, b, a);
  }

  @Test
  void whatIsListedOrBelongsToALaterPageIsNotAdded() {
    rig.submitted("a");
    rig.unlisted("b");
    RunKey c = rig.submitted("c");
    RunKey d = rig.submitted("d");

    RunPage all = page(2, Optional.empty());
    assertPage(all, Optional.of(c), d, c);
    assertSame(all, withNew(all, 2));
    RunPage last = new RunPage(all.runs(), Optional.of(d.runId()));
    assertSame(last, withNew(last, 10));
  }

  private RunPage page(int limit, Optional<String> after) {
    return read.page(THREAD, limit, after);
  }

  private RunPage withNew(RunPage first, int limit) {
    return read.withNew(first, limit, List.of(read.thread(TENANT, "t-1").orElseThrow()));
  }

  private static void assertPage(RunPage page, Optional<RunKey> next, RunKey... runs) {
    assertEquals(ids(runs), listed(page));
    assertEquals(next.map(RunKey::runId), page.next());
  }

  private static List<String> listed(RunPage page) {
    return page.runs().stream().map(run -> run.facts().run().runId()).toList();
  }
}
