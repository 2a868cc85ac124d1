package dev.runyard.core.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.SampleEvents;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChunkBodyTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00.120Z");
  private static final int WRITE_UNIT_BYTES = 1024;

  @Test
  void returnsEveryEventAsItWasEncoded() {
    List<StoredEvent> events = stored(SampleEvents.all());

    assertEquals(events, read(bytes(events)));
    assertArrayEquals(EventCodec.RUNS.encode(events), ChunkBytes.inflate(bytes(events)));
  }

  @Test
  void encodesTheSameEventsToTheSameBytes() {
    List<StoredEvent> events = stored(SampleEvents.all());

    assertArrayEquals(bytes(events), bytes(events));
  }

  @Test
  void refusesBytesThatAreNoBody() {
    byte[] good = bytes(stored(SampleEvents.all()));
    byte[] otherDictionary = good.clone();
    otherDictionary[0] = 9;
    byte[] damaged = good.clone();
    Arrays.fill(damaged, 1, 20, (byte) 0xFF);

    for (byte[] bad :
        List.of(
            new byte[0],
            new byte[] {1},
            otherDictionary,
            damaged,
            Arrays.copyOf(good, good.length / 2),
            Arrays.copyOf(good, good.length - 1))) {
      assertThrows(IllegalArgumentException.class, () -> read(bad));
    }
  }

  /// What a chunk costs is its size: the dictionary must make a lone event fit one write unit with
  /// room for the item's other attributes.
  @Test
  void makesAShortChunkCostOneWriteUnit() {
    for (RunEvent event : SampleEvents.all()) {
      int stored = bytes(stored(List.of(event))).length;

      assertTrue(stored < WRITE_UNIT_BYTES / 2, () -> event + " takes " + stored + " B");
    }
  }

  @Test
  void packsAFlushOfTextDeltasTightly() {
    List<RunEvent> deltas = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      deltas.add(new RunEvent.ModelDelta("The next word number " + i * 7919 + ", and so on. "));
    }
    int plain = EventCodec.RUNS.encode(stored(deltas)).length;
    int packed = bytes(stored(deltas)).length;

    System.out.printf(
        "20 text deltas: %d B as JSON lines, %d B stored, ratio %.1f%n",
        plain, packed, (double) plain / packed);
    assertTrue(packed * 10 < plain);
    assertTrue(packed < WRITE_UNIT_BYTES);
  }

  @Test
  void isWhatItsBytesAre() {
    List<StoredEvent> events = stored(SampleEvents.all());
    ChunkBody made = ChunkBody.of(EventCodec.RUNS, events);

    assertEquals(made, ChunkBody.stored(1, events.size(), made.bytes()));
    assertEquals(events, made.events(EventCodec.RUNS, RUN));
    assertNotEquals(made, ChunkBody.of(EventCodec.RUNS, events.subList(0, 3)));
  }

  @Test
  void holdsConsecutiveEventsOnly() {
    List<StoredEvent> events = stored(SampleEvents.all());
    List<StoredEvent> gap = List.of(events.get(0), events.get(2));

    assertThrows(IllegalArgumentException.class, () -> ChunkBody.of(EventCodec.RUNS, List.of()));
    assertThrows(IllegalArgumentException.class, () -> ChunkBody.of(EventCodec.RUNS, gap));
  }

  private static byte[] bytes(List<StoredEvent> events) {
    return ChunkBody.of(EventCodec.RUNS, events).bytes();
  }

  private static List<StoredEvent> read(byte[] bytes) {
    return ChunkBody.stored(1, 1, bytes).events(EventCodec.RUNS, RUN);
  }

  private static List<StoredEvent> stored(List<RunEvent> events) {
    List<StoredEvent> stored = new ArrayList<>();
    for (RunEvent event : events) {
      stored.add(new StoredEvent(RUN, "session-1", "attempt-1", stored.size() + 1, AT, event));
    }
    return stored;
  }
}
