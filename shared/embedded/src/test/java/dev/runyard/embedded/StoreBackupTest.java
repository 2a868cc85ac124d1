package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.problem.PortUnavailable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class StoreBackupTest {
  private static final RunKey RUN = SampleRun.key(1);
  private static final int ENOUGH = 20;
  private final StoreRig rig;

  StoreBackupTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void hasAllThatWasAcknowledgedAndOpensAsAStore() {
    EmbeddedStore store = rig.store();
    store.events().append(SampleRun.output(RUN, 1, "text"));
    store.artifacts().put("acme/object", new byte[] {1, 2});
    store.queue().send(RUN, 0);
    Path copy = rig.folder().resolve("a copy");

    store.backup(copy);
    store.events().append(SampleRun.output(RUN, 2, "after"));

    try (EmbeddedStore opened = open(copy)) {
      assertEquals(1, opened.events().chunksAfter(RUN, 0).size());
      assertEquals(2, opened.artifacts().get("acme/object").orElseThrow().length);
      assertEquals(RUN, opened.queue().receive(1, 0).getFirst().run());
    }
    assertEquals(2, store.events().chunksAfter(RUN, 0).size());
  }

  @Test
  void isMadeWhileOthersWrite() throws Exception {
    EventLog log = rig.store().events();
    AtomicLong acknowledged = new AtomicLong();
    AtomicBoolean enough = new AtomicBoolean();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<?> writing =
          threads.submit(
              () -> {
                while (!enough.get()) {
                  long at = acknowledged.get() + 1;
                  log.append(
                      SampleRun.output(SampleRun.key((int) (at / 100)), at % 100 + 1, "text"));
                  acknowledged.set(at);
                }
              });
      while (acknowledged.get() < ENOUGH) {
        Thread.onSpinWait();
      }
      long before = acknowledged.get();
      Path copy = rig.folder().resolve("copy");
      rig.store().backup(copy);
      long after = acknowledged.get();
      enough.set(true);
      writing.get();

      try (EmbeddedStore opened = open(copy)) {
        long copied = 0;
        for (List<StreamChange> more = opened.changes().after(copied, ChangeFilter.ALL, 100);
            !more.isEmpty();
            more = opened.changes().after(copied, ChangeFilter.ALL, 100)) {
          copied = more.getLast().position();
        }
        assertTrue(before <= copied && copied <= after + 1, before + " " + copied + " " + after);
        assertEquals(
            LongStream.rangeClosed(2, Math.min(100, copied + 1)).boxed().toList(),
            opened.events().chunksAfter(SampleRun.key(0), 0).stream().map(Chunk::first).toList());
      }
    }
  }

  @Test
  void replacesNoStore() {
    Path copy = rig.folder().resolve("copy");
    rig.store().backup(copy);

    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> rig.store().backup(copy));

    assertEquals("There is a store in %s already.".formatted(copy), refused.getMessage());
  }

  @Test
  void leavesNothingWhereItCannotBeWritten() throws Exception {
    Path inTheWay = Files.writeString(rig.folder().resolve("file"), "");

    assertThrows(PortUnavailable.class, () -> rig.store().backup(inTheWay.resolve("copy")));

    rig.store().events().append(SampleRun.output(RUN, 1, "goes on"));
    assertFalse(Files.isDirectory(inTheWay));
  }

  private EmbeddedStore open(Path copy) {
    return EmbeddedStore.open(new StoreSettings(copy, StoreRig.RETENTION), rig.environment());
  }
}
