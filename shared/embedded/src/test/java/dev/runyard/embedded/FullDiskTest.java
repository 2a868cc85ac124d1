package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.problem.PortUnavailable;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class FullDiskTest {
  private static final RunKey RUN = SampleRun.key(1);
  private static final int TEXT_CHARS = 3_000;
  private final Random random = new Random(3);
  private final StoreRig rig;

  FullDiskTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void refusesWhatDoesNotFitAndGoesOnOnceThereIsSpace() throws Exception {
    EventLog log = rig.store().events();
    log.append(SampleRun.output(RUN, 1, noise()));
    rig.connections().leavePages(20);

    int appended = 1;
    PortUnavailable refused = null;
    while (refused == null) {
      try {
        log.append(SampleRun.output(RUN, appended + 1, noise()));
        appended++;
      } catch (PortUnavailable e) {
        refused = e;
      }
    }

    assertTrue(String.valueOf(refused.getMessage()).startsWith("append: the disk is full"));
    assertTrue(appended > 1);
    assertEquals(firsts(appended), firstsOf(log));
    assertThrows(
        PortUnavailable.class, () -> log.append(SampleRun.output(RUN, 9_999, noise())), "still");

    rig.connections().leaveAllPages();
    assertEquals(AppendResult.appended(), log.append(SampleRun.output(RUN, appended + 1, noise())));
    assertEquals(firsts(appended + 1), firstsOf(rig.reopened().events()));
  }

  @Test
  void leavesTheObjectThatWasThere() throws Exception {
    ArtifactStore artifacts = rig.store().artifacts();
    byte[] small = bytes(1_000);
    artifacts.put("acme/object", small);
    byte[] large = bytes(3 * SqliteArtifactStore.PART_BYTES_MAX);
    rig.connections()
        .leavePages(2L * SqliteArtifactStore.PART_BYTES_MAX / FaultyConnections.PAGE_BYTES);

    assertThrows(PortUnavailable.class, () -> artifacts.put("acme/object", large));

    assertEquals(small.length, artifacts.get("acme/object").orElseThrow().length);
    rig.connections().leaveAllPages();
    assertTrue(rig.store().expire() > 0, "the parts that fitted");
    assertEquals(0, rig.store().expire());
    artifacts.put("acme/object", large);
    assertEquals(Optional.of(large.length), artifacts.get("acme/object").map(it -> it.length));
  }

  private static List<Long> firsts(int count) {
    return LongStream.rangeClosed(1, count).boxed().toList();
  }

  private static List<Long> firstsOf(EventLog log) {
    return log.chunksAfter(RUN, 0).stream().map(Chunk::first).toList();
  }

  /// Text that is as long when it is stored.
  private String noise() {
    StringBuilder text = new StringBuilder();
    while (text.length() < TEXT_CHARS) {
      text.append((char) random.nextInt('!', '~'));
    }
    return text.toString();
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
