package dev.runyard.core.session;

import static dev.runyard.core.session.ThreadRig.SESSION;
import static dev.runyard.core.session.ThreadRig.TENANT;
import static dev.runyard.core.session.ThreadRig.THREAD;
import static dev.runyard.core.session.ThreadRig.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.thread.QueuedTurn;
import dev.runyard.core.thread.ThreadKey;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Sessions and threads as readers see them.
final class ReadThreadTest {
  private final ThreadRig rig = new ThreadRig();
  private final ReadThread read = rig.cases.readThread();

  @Test
  void aThreadHasATurnAndThoseThatWait() {
    RunKey a = rig.submitted("a");
    RunKey b = rig.submitted("b");
    RunKey c = rig.submitted("c");

    assertEquals(now(a, turn("b", b), turn("c", c)), thread("t-1"));
    rig.end(a);
    assertEquals(now(b, turn("c", c)), thread("t-1"));
    rig.end(b);
    rig.end(c);
    assertEquals(
        new ReadThread.Now(THREAD, rig.events().size(), Optional.empty(), List.of()),
        thread("t-1"));
  }

  @Test
  void aTurnThatHasEndedDoesNotWaitThoughItStillHasItsPlace() {
    RunKey a = rig.submitted("a");
    RunKey b = rig.submitted("b");
    RunKey c = rig.submitted("c");
    rig.cases.cancelRun().cancel(a, "test", "somebody");
    rig.cases.runs().execute(a, new RunCommand.Advance(rig.clock.instant()));

    assertEquals(ids(a, b, c), rig.order());
    assertEquals(now(b, turn("c", c)), thread("t-1"));
  }

  @Test
  void thereIsNoThreadThatNobodyHasBegun() {
    RunKey named = rig.submitted("a");

    assertEquals(Optional.empty(), read.thread(TENANT, "t-2"));
    assertEquals(Optional.empty(), read.thread("another", "t-1"));
    assertEquals(Optional.empty(), read.thread(TENANT, "no thread"));
    assertEquals(Optional.empty(), read.thread(TENANT, "thread-s-2"));
    assertEquals(
        Optional.empty(),
        read.thread(TENANT, TurnIds.threadOf(rig.ids.runId(rig.clock.instant()))));
    assertEquals(
        Optional.empty(),
        read.thread(TENANT, TurnIds.threadOf(named.runId())),
        "the run is in another session");
  }

  @Test
  void aSessionThatARunHasBegunHasAThreadBeforeThatHasALog() {
    RunKey first = rig.submitted(SampleRequests.echo(""));
    ThreadTurns.In own = own(first.runId());

    assertEquals(Optional.of(own), read.find(TENANT, own.thread().id()));
    assertEquals(
        new ReadThread.Now(own, 0, Optional.of(rig.state(first)), List.of()),
        thread(own.thread().id()));
    assertEquals(Optional.empty(), read.find("another", own.thread().id()));
  }

  @Test
  void aSessionThatAnEarlierReleaseHasPutInOrderHasAThread() {
    RunKey run = rig.created(SampleRequests.echo(SESSION));
    rig.ports.turns().write(TENANT, SESSION, new SessionQueue.Turns(0, ids(run)));

    assertEquals(Optional.of(own(SESSION)), read.find(TENANT, "thread-s-1"));
    assertEquals(
        new ReadThread.Now(own(SESSION), 0, Optional.of(rig.state(run)), List.of()),
        thread("thread-s-1"));
    assertEquals(Optional.empty(), read.find(TENANT, SESSION), "not the name of its thread");
  }

  @Test
  void aSessionHasItsOwnThreadAndThoseOfThePage() {
    RunKey a = rig.submitted("a");
    rig.submitted("b");
    RunKey other = rig.submitted(ThreadRig.in("t-2"));
    List<RunState.Existing> page = read.page(TENANT, SESSION, 10, Optional.empty()).runs();

    assertEquals(List.of("t-2", "t-1"), names(page));
    RunKey own = rig.submitted(SampleRequests.echo(SESSION));
    assertEquals(List.of("thread-s-1", "t-2", "t-1"), names(page));
    assertEquals(
        List.of(own, other, a),
        read.threads(TENANT, SESSION, page).stream()
            .map(thread -> thread.current().orElseThrow().facts().run())
            .toList());
    page = read.page(TENANT, SESSION, 10, Optional.empty()).runs();
    assertEquals(List.of("thread-s-1", "t-2", "t-1"), names(page), "each once");
    assertEquals(List.of(), read.threads(TENANT, "s-2", List.of()));
  }

  @Test
  void showsNotMoreThanSoManyThreadsOfASession() {
    for (int i = 0; i <= ReadThread.THREADS_MAX; i++) {
      rig.submitted(ThreadRig.in("t-" + i));
    }
    rig.submitted(SampleRequests.echo(SESSION));

    List<String> names = names(read.page(TENANT, SESSION, 100, Optional.empty()).runs());

    assertEquals(1 + ReadThread.THREADS_MAX, names.size());
    assertEquals("t-1", names.getLast(), "the oldest is left out");
  }

  private ReadThread.Now thread(String id) {
    return read.thread(TENANT, id).orElseThrow();
  }

  private ReadThread.Now now(RunKey current, QueuedTurn... waiting) {
    return new ReadThread.Now(
        THREAD, rig.events().size(), Optional.of(rig.state(current)), List.of(waiting));
  }

  private static QueuedTurn turn(String name, RunKey run) {
    return new QueuedTurn(name, run.runId());
  }

  private static ThreadTurns.In own(String session) {
    return new ThreadTurns.In(new ThreadKey(TENANT, TurnIds.threadOf(session)), session);
  }

  private List<String> names(List<RunState.Existing> page) {
    return read.threads(TENANT, SESSION, page).stream()
        .map(thread -> thread.in().thread().id())
        .toList();
  }
}
