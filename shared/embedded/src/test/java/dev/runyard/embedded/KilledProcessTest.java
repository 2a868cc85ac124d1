package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Processes that write to one store are ended by `kill -9`, one after another.
@ExtendWith(StoreRig.Given.class)
class KilledProcessTest {
  private static final int KILLS = 6;

  /// A process is killed after less than two to the power of this many lines.
  private static final int LINES_BITS_MAX = 10;

  /// More than a process writes before it is killed.
  private static final int NUMBERS_PER_PROCESS = 1_000_000;

  private final Random random = new Random(5);
  private final StoreRig rig;

  /// How many chunks of each run were acknowledged.
  private final Map<Integer, Integer> chunks = new HashMap<>();

  /// The last object that was acknowledged.
  private int object;

  KilledProcessTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void allThatWasAcknowledgedIsThereAndNothingIsHalfWritten() throws Exception {
    for (int kill = 1; kill <= KILLS; kill++) {
      int lines = 1 + random.nextInt(1 << random.nextInt(LINES_BITS_MAX + 1));
      ChildStore child = new ChildStore(rig.settings().folder(), kill * NUMBERS_PER_PROCESS);

      List<String> said = child.linesUntilKilled(lines, this::assertRefused);

      assertTrue(said.size() >= lines, said::toString);
      note(ChildStore.Acknowledged.in(said));
      assertEquals(
          Optional.of("ok"),
          rig.store()
              .database()
              .read("check", it -> it.row(StoreConnection.Row.TEXT, "pragma integrity_check")));
      assertChunks();
      assertObject();
      rig.closeStore();
    }
  }

  private void note(List<ChildStore.Acknowledged> acknowledged) {
    for (ChildStore.Acknowledged each : acknowledged) {
      switch (each.kind()) {
        case CHUNK -> chunks.merge(each.number(), each.at(), Math::max);
        case OBJECT -> object = each.number();
      }
    }
  }

  /// The child has the store, so nobody else gets it.
  private void assertRefused() {
    StoreRefused refused = assertThrows(StoreRefused.class, rig::store);
    assertEquals(
        "Another process uses the store in %s. End it first, or give another folder."
            .formatted(rig.settings().folder()),
        refused.getMessage());
  }

  /// Each run has a beginning of what was appended to it, which is no shorter than what was
  /// acknowledged; the change feed has the same chunks.
  private void assertChunks() {
    EventLog log = rig.store().events();
    Map<Integer, Long> fed = fed();
    chunks.forEach((run, count) -> assertTrue(fed.getOrDefault(run, 0L) >= count, "run " + run));
    fed.forEach(
        (run, last) -> {
          List<Chunk> expected =
              IntStream.rangeClosed(1, Math.toIntExact(last))
                  .mapToObj(at -> ChildStore.chunk(run, at))
                  .toList();
          assertEquals(expected, log.chunksAfter(SampleRun.key(run), 0));
        });
  }

  /// The last chunk of each run that is in the change feed.
  private Map<Integer, Long> fed() {
    ChangeFeed feed = rig.store().changes();
    Map<Integer, Long> last = new HashMap<>();
    long position = 0;
    List<StreamChange> found;
    do {
      found = feed.after(position, ChangeFilter.ALL, ChangeFeed.READ_CHANGES_MAX);
      for (StreamChange change : found) {
        position = change.position();
        int run = numberOf(change.partition());
        assertEquals(last.getOrDefault(run, 0L) + 1, change.first(), change::toString);
        last.put(run, change.last());
      }
    } while (!found.isEmpty());
    return last;
  }

  private static int numberOf(String partition) {
    return Integer.parseInt(partition.substring(partition.lastIndexOf('-') + 1), 16);
  }

  /// The object is one that was put, whole, and not older than the last that was acknowledged.
  private void assertObject() {
    byte[] content = rig.store().artifacts().get(ChildStore.OBJECT).orElse(new byte[0]);
    assertTrue(object == 0 || content.length > 0, "object " + object);
    ByteBuffer numbers = ByteBuffer.wrap(content);
    int first = content.length == 0 ? 0 : numbers.getInt(0);
    assertTrue(first >= object, first + " is older than " + object);
    assertEquals(
        content.length == 0 ? List.of() : List.of(first),
        IntStream.generate(numbers::getInt)
            .limit(content.length / Integer.BYTES)
            .distinct()
            .boxed()
            .toList());
  }
}
