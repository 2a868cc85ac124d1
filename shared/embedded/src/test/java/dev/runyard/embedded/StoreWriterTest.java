package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.problem.PortUnavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sqlite.SQLiteErrorCode;

@ExtendWith(StoreRig.Given.class)
class StoreWriterTest {
  private static final int WRITERS = 64;
  private static final RunKey RUN = SampleRun.key(1);
  private final StoreRig rig;

  StoreWriterTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void commitsAllThatWaitsAtOnce() throws Exception {
    EventLog log = rig.store().events();
    StoreWriter writer = rig.store().database().writer();
    long before = writer.commits();

    List<Future<AppendResult>> appends = grouped(append(log, WRITERS));

    for (Future<AppendResult> append : appends) {
      assertEquals(AppendResult.appended(), append.get());
    }
    assertEquals(2, writer.commits() - before, "the one that was waited for, and the group");
    assertEquals(WRITERS, log.chunksAfter(RUN, 0).size());
  }

  @Test
  void readersSeeAtOnceWhatWasAcknowledged() throws Exception {
    EventLog log = rig.store().events();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Integer>> missed = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        RunKey run = SampleRun.key(i);
        missed.add(threads.submit(() -> missed(log, run)));
      }
      for (Future<Integer> count : missed) {
        assertEquals(0, count.get());
      }
    }
  }

  /// How many of some appends were not the newest once they were acknowledged.
  private static int missed(EventLog log, RunKey run) {
    int missed = 0;
    for (int at = 1; at <= 20; at++) {
      Chunk chunk = SampleRun.output(run, at, "text");
      log.append(chunk);
      missed += log.chunkAt(run, Long.MAX_VALUE).equals(Optional.of(chunk)) ? 0 : 1;
    }
    return missed;
  }

  @Test
  void syncsEachCommitUnlessItIsToldNotTo() {
    assertEquals(Optional.of(2L), pragma(rig.store(), "synchronous"));
    rig.closeStore();
    try (EmbeddedStore unsynced =
        EmbeddedStore.open(
            new StoreSettings(rig.settings().folder(), StoreRig.RETENTION, false),
            rig.environment())) {
      assertEquals(Optional.of(1L), pragma(unsynced, "synchronous"));
    }
  }

  private static Optional<Long> pragma(EmbeddedStore store, String name) {
    return store
        .database()
        .write("look", connection -> connection.row(StoreConnection.Row.NUMBER, "pragma " + name));
  }

  @Test
  void aWriteThatFailsFailsAlone() throws Exception {
    EventLog log = rig.store().events();
    List<Callable<AppendResult>> calls = append(log, 3);
    calls.add(
        1,
        () ->
            rig.store()
                .database()
                .write(
                    "a mistake",
                    connection -> {
                      connection.update("delete from chunks");
                      connection.update("no statement at all");
                      return AppendResult.appended();
                    }));

    List<Future<AppendResult>> results = grouped(calls);

    ExecutionException mistake = assertThrows(ExecutionException.class, () -> results.get(1).get());
    assertInstanceOf(IllegalStateException.class, mistake.getCause());
    results.remove(1);
    for (Future<AppendResult> result : results) {
      assertEquals(AppendResult.appended(), result.get());
    }
    assertEquals(3, log.chunksAfter(RUN, 0).size());
  }

  @Test
  void aConditionThatIsNotMetHarmsNoNeighbour() throws Exception {
    EventLog log = rig.store().events();
    List<Callable<AppendResult>> calls = append(log, 2);
    calls.add(() -> log.append(SampleRun.output(RUN, 1, "another")));

    List<Future<AppendResult>> results = grouped(calls);

    List<AppendResult> came = new ArrayList<>();
    for (Future<AppendResult> result : results) {
      came.add(result.get());
    }
    assertEquals(1, came.stream().filter(AppendResult.collision()::equals).count());
    assertEquals(AppendResult.appended(), came.get(1));
    assertEquals(2, log.chunksAfter(RUN, 0).size());
  }

  @Test
  void aFailedSyncIsNoAcknowledgement() throws Exception {
    EventLog log = rig.store().events();
    log.append(SampleRun.output(RUN, 1, "before"));
    int opened = rig.connections().opened();
    rig.connections()
        .failNextCommit(
            SQLiteErrorCode.SQLITE_IOERR_FSYNC, FaultyConnections.Moment.BEFORE_IT_IS_APPLIED);

    PortUnavailable refused =
        assertThrows(PortUnavailable.class, () -> log.append(SampleRun.output(RUN, 2, "refused")));

    assertTrue(String.valueOf(refused.getMessage()).startsWith("append: the disk failed"));
    assertEquals(1, log.chunksAfter(RUN, 0).size());
    assertEquals(AppendResult.appended(), log.append(SampleRun.output(RUN, 2, "again")));
    assertTrue(rig.connections().opened() > opened, "on a new connection");
    assertEquals(2, rig.reopened().events().chunksAfter(RUN, 0).size());
  }

  @Test
  void noWriteOfAGroupWhoseSyncFailedIsTriedAgain() throws Exception {
    EventLog log = rig.store().events();
    rig.connections()
        .failNextCommitBut(
            1, SQLiteErrorCode.SQLITE_IOERR_FSYNC, FaultyConnections.Moment.BEFORE_IT_IS_APPLIED);

    List<Future<AppendResult>> results = grouped(append(log, 3));

    for (Future<AppendResult> result : results) {
      ExecutionException refused = assertThrows(ExecutionException.class, result::get);
      assertInstanceOf(PortUnavailable.class, refused.getCause());
    }
    assertEquals(List.of(), log.chunksAfter(RUN, 0));
  }

  /// The sync failed, and the disk had it all the same.
  @Test
  void aWriteThatWasRefusedAndAppliedIsRecognised() {
    EventLog log = rig.store().events();
    rig.connections()
        .failNextCommit(
            SQLiteErrorCode.SQLITE_IOERR_FSYNC, FaultyConnections.Moment.AFTER_IT_WAS_APPLIED);
    assertThrows(PortUnavailable.class, () -> log.append(SampleRun.output(RUN, 1, "mine")));

    assertEquals(AppendResult.appended(), log.append(SampleRun.output(RUN, 1, "mine")));
    assertEquals(AppendResult.collision(), log.append(SampleRun.output(RUN, 1, "theirs")));
    assertEquals(1, log.chunksAfter(RUN, 0).size());
  }

  @Test
  void whatWaitsWhenTheStoreClosesIsWritten() throws Exception {
    EventLog log = rig.store().events();

    for (Future<AppendResult> append : grouped(append(log, 8), rig::closeStore)) {
      assertEquals(AppendResult.appended(), append.get());
    }

    assertThrows(PortUnavailable.class, () -> log.append(SampleRun.output(RUN, 9, "late")));
    assertEquals(8, rig.store().events().chunksAfter(RUN, 0).size());
  }

  @Test
  void whoIsInterruptedIsNotAnswered() {
    EventLog log = rig.store().events();
    Thread.currentThread().interrupt();

    assertThrows(PortUnavailable.class, () -> log.append(SampleRun.output(RUN, 1, "a")));
    assertThrows(PortUnavailable.class, () -> log.chunksAfter(RUN, 0));

    assertTrue(Thread.interrupted());
    assertEquals(AppendResult.appended(), log.append(SampleRun.output(RUN, 1, "a")));
  }

  /// Calls that append to the run, the first at 1.
  private static List<Callable<AppendResult>> append(EventLog log, int count) {
    List<Callable<AppendResult>> calls = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      int at = i;
      calls.add(() -> log.append(SampleRun.output(RUN, at, "text")));
    }
    return calls;
  }

  private List<Future<AppendResult>> grouped(List<Callable<AppendResult>> calls) throws Exception {
    return grouped(calls, () -> {});
  }

  /// Has the calls share a transaction, and does `meanwhile` beside it.
  private List<Future<AppendResult>> grouped(List<Callable<AppendResult>> calls, Runnable meanwhile)
      throws Exception {
    return GroupedWrites.of(rig.store(), calls, meanwhile);
  }
}
