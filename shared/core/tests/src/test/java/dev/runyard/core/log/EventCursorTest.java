package dev.runyard.core.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.problem.PortUnavailable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class EventCursorTest {
  private static final RunKey RUN = new RunKey("default", "019a0000-0000-7000-8000-000000000001");
  private final List<Chunk> chunks = new ArrayList<>();
  private final EventLog log = new ListLog(chunks);

  @Test
  void resumesInTheMiddleOfAChunk() {
    write(1, 3, false);
    write(4, 9, false);

    for (long after = 0; after <= 9; after++) {
      assertEquals(
          LongStream.rangeClosed(after + 1, 9).boxed().toList(),
          sequences(new EventCursor<>(log, EventCodec.RUNS, RUN, after)));
    }
  }

  @Test
  void waitsWhenItIsBeyondTheHead() {
    write(1, 3, false);
    EventCursor<StoredEvent> cursor = new EventCursor<>(log, EventCodec.RUNS, RUN, 6);

    assertEquals(List.of(), sequences(cursor));
    write(4, 8, false);
    assertEquals(List.of(7L, 8L), sequences(cursor));
    write(9, 9, true);
    assertEquals(List.of(9L), sequences(cursor));
    assertTrue(cursor.closed());
  }

  @Test
  void losesNothingWhenAReadFails() {
    write(1, 3, false);
    write(4, 9, true);
    int[] reads = {0};
    EventLog failing =
        new ListLog(chunks) {
          @Override
          public List<Chunk> chunksAfter(StreamKey key, long sequence) {
            if (reads[0]++ == 0) {
              throw new PortUnavailable("down", new IOException("down"));
            }
            return super.chunksAfter(key, sequence);
          }
        };
    EventCursor<StoredEvent> cursor = new EventCursor<>(failing, EventCodec.RUNS, RUN, 1);

    assertThrows(PortUnavailable.class, cursor::next);

    assertEquals(LongStream.rangeClosed(2, 9).boxed().toList(), sequences(cursor));
    assertTrue(cursor.closed());
  }

  @Test
  void isClosedBehindTheTerminalEvent() {
    write(1, 3, true);
    EventCursor<StoredEvent> cursor = new EventCursor<>(log, EventCodec.RUNS, RUN, 3);

    assertFalse(cursor.closed());
    assertEquals(List.of(), sequences(cursor));
    assertTrue(cursor.closed());
  }

  @Test
  void goesOnWithWhatIsKept() {
    write(10, 12, false);
    write(13, 15, false);

    for (long after = 0; after <= 12; after++) {
      EventCursor<StoredEvent> cursor = new EventCursor<>(log, EventCodec.RUNS, RUN, after);
      assertEquals(
          LongStream.rangeClosed(Math.max(after + 1, 10), 15).boxed().toList(), sequences(cursor));
      assertFalse(cursor.isAhead());
    }
  }

  @Test
  void goesOnWhereAPartInTheMiddleIsGone() {
    write(1, 3, false);
    write(10, 12, true);
    EventCursor<StoredEvent> cursor = new EventCursor<>(log, EventCodec.RUNS, RUN, 5);

    assertEquals(List.of(10L, 11L, 12L), sequences(cursor));
    assertTrue(cursor.closed());
  }

  /// The log may grow past the cursor between two reads.
  @Test
  void losesNothingWhenTheLogGrowsPastIt() {
    write(1, 3, false);
    EventLog growing =
        new ListLog(chunks) {
          @Override
          public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
            Optional<Chunk> found = super.chunkAt(key, sequence);
            if (chunks.size() == 1) {
              write(4, 8, false);
              write(9, 9, false);
            }
            return found;
          }
        };
    EventCursor<StoredEvent> cursor = new EventCursor<>(growing, EventCodec.RUNS, RUN, 6);

    assertEquals(List.of(), cursor.next());
    assertEquals(List.of(7L, 8L, 9L), sequences(cursor));
  }

  /// Such a read may miss a chunk and show the next one.
  @Test
  void newsEndWhereAChunkIsMissing() {
    write(1, 3, false);
    write(4, 6, false);
    write(7, 9, true);
    EventLog missing =
        new ListLog(chunks) {
          @Override
          public List<Chunk> newsAfter(StreamKey key, long sequence) {
            return chunks.stream()
                .filter(chunk -> chunk.first() > sequence && chunk.first() != 4)
                .toList();
          }
        };
    EventCursor<StoredEvent> cursor = new EventCursor<>(missing, EventCodec.RUNS, RUN, 0);

    assertEquals(3, cursor.news().size());
    assertEquals(List.of(), cursor.news());
    assertEquals(3, cursor.after());
    assertFalse(cursor.closed());
    assertEquals(4, cursor.next().getFirst().sequence());
    assertEquals(3, cursor.news().size());
    assertTrue(cursor.closed());
  }

  @Test
  void saysWhetherItIsBeyondTheHead() {
    write(1, 3, false);
    EventCursor<StoredEvent> beyond = new EventCursor<>(log, EventCodec.RUNS, RUN, 6);
    beyond.next();
    assertTrue(beyond.isAhead());
    EventCursor<StoredEvent> atHead = new EventCursor<>(log, EventCodec.RUNS, RUN, 3);
    atHead.next();
    assertFalse(atHead.isAhead());

    write(4, 6, false);
    beyond.next();

    assertFalse(beyond.isAhead());
  }

  @Test
  void tellsOnceOfAChunkThatWasExchanged() {
    write(1, 3, false);
    link(4);
    link(5);
    link(6);
    List<Long> broken = new ArrayList<>();
    EventCursor<StoredEvent> whole = new EventCursor<>(log, EventCodec.RUNS, RUN, 0, broken::add);
    EventCursor<StoredEvent> later = new EventCursor<>(log, EventCodec.RUNS, RUN, 5, broken::add);
    assertEquals(6, sequences(whole).size());
    assertEquals(1, sequences(later).size());
    assertEquals(List.of(), broken, "a log as it was written");

    Chunk of = chunks.get(1);
    chunks.set(
        1, new Chunk(RUN, "other", of.writer(), of.body(), of.state(), of.closed(), of.previous()));
    for (long after = 0; after <= 6; after++) {
      broken.clear();
      sequences(new EventCursor<>(log, EventCodec.RUNS, RUN, after, broken::add));
      assertEquals(after < 4 ? List.of(5L) : List.of(), broken, "read after " + after);
    }
  }

  /// One event, behind the chunk that was written last.
  private void link(long sequence) {
    Chunk before = chunks.getLast();
    write(sequence, sequence, false);
    Chunk one = chunks.removeLast();
    chunks.add(
        new Chunk(
            RUN,
            one.id(),
            one.writer(),
            one.body(),
            one.state(),
            one.closed(),
            Optional.of(before.hash())));
  }

  private void write(long first, long last, boolean closed) {
    List<StoredEvent> events =
        LongStream.rangeClosed(first, last)
            .mapToObj(
                sequence ->
                    new StoredEvent(
                        RUN, "s", null, sequence, Instant.EPOCH, new RunEvent.ModelDelta("x")))
            .toList();
    ChunkBody body = ChunkBody.of(EventCodec.RUNS, events);
    chunks.add(new Chunk(RUN, "id" + first, "test", body, Optional.empty(), closed));
  }

  private static List<Long> sequences(EventCursor<StoredEvent> cursor) {
    List<Long> seen = new ArrayList<>();
    List<StoredEvent> events = cursor.next();
    while (!events.isEmpty()) {
      events.forEach(event -> seen.add(event.sequence()));
      events = cursor.next();
    }
    return seen;
  }

  private static class ListLog implements EventLog {
    private final List<Chunk> chunks;

    ListLog(List<Chunk> chunks) {
      this.chunks = chunks;
    }

    @Override
    public AppendResult append(Chunk chunk) {
      chunks.add(chunk);
      return AppendResult.appended();
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      return chunks.stream().filter(chunk -> chunk.first() > sequence).limit(1).toList();
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      return chunks.stream().filter(chunk -> chunk.first() <= sequence).reduce((_, last) -> last);
    }
  }
}
