package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.problem.PortUnavailable;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sqlite.SQLiteErrorCode;

@ExtendWith(StoreRig.Given.class)
class RecentChunksTest {
  private static final RunKey RUN = SampleRun.key(1);

  private final StoreRig rig;

  RecentChunksTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void readersGetTheChunkThatWasAppended() {
    Chunk chunk = SampleRun.output(RUN, 1, "hello");
    rig.store().events().append(chunk);

    assertSame(chunk, read(rig.store()));
    assertEquals(chunk, read(rig.reopened()));
    assertNotSame(chunk, read(rig.store()));
  }

  @Test
  void aChunkThatLostIsNotKept() {
    EventLog log = rig.store().events();
    Chunk first = SampleRun.output(RUN, 1, "first");
    Chunk late = SampleRun.output(RUN, 1, "late");
    log.append(first);

    assertEquals(AppendResult.collision(), log.append(late));
    assertSame(first, read(rig.store()));
    assertTrue(rig.store().database().recent().find(RUN.partition(), 1, late.id()).isEmpty());
  }

  @Test
  void aChunkThatMayNotBeWrittenIsNotKept() {
    EventLog log = rig.store().events();
    Chunk chunk = SampleRun.output(RUN, 1, "hello");
    rig.connections()
        .failNextCommit(
            SQLiteErrorCode.SQLITE_IOERR, FaultyConnections.Moment.BEFORE_IT_IS_APPLIED);

    assertThrows(PortUnavailable.class, () -> log.append(chunk));
    assertTrue(rig.store().database().recent().find(RUN.partition(), 1, chunk.id()).isEmpty());
    assertEquals(AppendResult.appended(), log.append(chunk));
    assertSame(chunk, read(rig.store()));
  }

  @Test
  void forgetsTheOldest() {
    RecentChunks recent = new RecentChunks();
    String text = "x".repeat(60_000);
    int added = 0;
    for (long bytes = 0; bytes <= RecentChunks.BYTES_MAX; added++) {
      Chunk chunk = SampleRun.output(RUN, added + 1, text);
      assertTrue(chunk.body().bytes().length > 0);
      assertTrue(recent.add(chunk));
      bytes += chunk.body().lineBytes();
    }

    assertTrue(kept(recent, 1, text).isEmpty());
    assertTrue(kept(recent, 2, text).isPresent());
    assertTrue(kept(recent, added, text).isPresent());
  }

  private static Optional<Chunk> kept(RecentChunks recent, long at, String text) {
    return recent.find(RUN.partition(), at, SampleRun.output(RUN, at, text).id());
  }

  private static Chunk read(EmbeddedStore store) {
    return store.events().chunksAfter(RUN, 0).getFirst();
  }
}
