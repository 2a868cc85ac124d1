package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.read.EventRenderer;
import dev.runyard.core.read.Protocol;
import dev.runyard.core.stream.ChunkHash;
import dev.runyard.functions.Twins;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class RunFeedTest {
  private static final int READERS = 1000;

  /// Events of a running run.
  private static final long BEGUN = 5;

  private final Twins twins = new Twins();
  private final CountedLog log = new CountedLog(twins.log);
  private final RunKey run = twins.running();

  private final List<Long> broken = new ArrayList<>();

  /// Every pause is as long as its reader wants; the agent works in the meantime.
  private int pauses;

  private final RunFeeds feeds =
      new RunFeeds(
          log,
          twins.clock,
          (_, _, _) -> work(),
          Duration.ofMillis(100),
          StreamRig.audience(twins),
          (_, sequence) -> broken.add(sequence));

  private synchronized void work() {
    if (++pauses <= 50) {
      twins.report(run, new RunEvent.ModelDelta("a"), new RunEvent.ModelDelta("b"));
    } else if (pauses == 51) {
      twins.complete(run);
    }
  }

  /// Somebody who may write the log has put another chunk behind those that are there.
  @Test
  void tellsOfAChunkThatWasWrittenBehindAnother() {
    long next = twins.log.chunkAt(run, Long.MAX_VALUE).orElseThrow().last() + 1;
    Tail tail = feeds.open(run, 0).orElseThrow();
    assertFalse(tail.next().isEmpty());
    assertEquals(List.of(), broken);
    StoredEvent event = twins.log.chunksAfter(run, 0).getLast().events(EventCodec.RUNS).getLast();
    twins.log.append(
        new Chunk(
            run,
            "forged",
            "forged",
            ChunkBody.of(
                EventCodec.RUNS,
                List.of(
                    new StoredEvent(
                        run,
                        event.sessionId(),
                        event.attemptId(),
                        next,
                        event.timestamp(),
                        new RunEvent.ModelDelta("a")))),
            Optional.empty(),
            false,
            Optional.of(ChunkHash.of(new byte[ChunkHash.HASH_BYTES]))));

    assertFalse(tail.next().isEmpty());

    assertEquals(List.of(next), broken);
    tail.close();
  }

  @Test
  void givesAThousandReadersEachEventOnceAndReadsForAllOfThem() throws Exception {
    List<Tail> tails = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      tails.add(feeds.open(run, i % BEGUN).orElseThrow());
    }
    int opened = log.reads();
    List<Future<List<Long>>> read = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      tails.forEach(tail -> read.add(threads.submit(() -> readToEnd(tail))));
    }

    long end = twins.runs().load(run).sequence();
    assertEquals(BEGUN + 100 + 4, end);
    for (int i = 0; i < READERS; i++) {
      assertEquals(LongStream.rangeClosed(i % BEGUN + 1, end).boxed().toList(), read.get(i).get());
    }
    int shared = log.news();
    assertTrue(shared <= 60, () -> "shared reads: " + shared);
    int own = log.reads() - opened;
    assertTrue(own <= 3 * READERS, () -> "reads of their own, to find the head: " + own);
  }

  @Test
  void rendersOnceWhatAllReadersGet() throws Exception {
    try (Tail one = atHead();
        Tail other = atHead()) {
      joined(one);
      joined(other);

      Batch first = one.next();

      assertSame(first, other.next());
      EventRenderer view = new EventRenderer(Protocol.RUNTIME, run, log, twins.runs());
      EventRenderer same = new EventRenderer(Protocol.RUNTIME, run, log, twins.runs());
      assertSame(first.frames(view), first.frames(same));
    }
  }

  @Test
  void doesNotWaitForAReaderThatTakesItsTimeAndKeepsNoMoreForIt() throws Exception {
    try (Tail slow = atHead();
        Tail quick = atHead()) {
      joined(slow);
      int texts = 2 * RunFeed.KEPT_BYTES_MAX / 60_000;
      List<Long> seen = new ArrayList<>();
      for (int i = 0; i < texts; i++) {
        twins.report(run, new RunEvent.ModelDelta("x".repeat(60_000)));
        assertTrue(quick.pause(Instant.MAX));
        add(quick, seen);
      }
      int before = log.reads();
      List<Long> late = new ArrayList<>();
      for (int i = 0; late.size() < seen.size() && i < seen.size(); i++) {
        add(slow, late);
      }

      assertEquals(seen, late.subList(0, seen.size()));
      assertTrue(log.reads() > before, "it reads what is kept no longer itself");
    }
  }

  @Test
  void anotherReadsOnWhenTheOneThatReadLeaves() throws Exception {
    Tail first = atHead();
    try (Tail second = atHead()) {
      joined(first);
      joined(second);
      first.close();

      List<Long> seen = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        add(second, seen);
        joined(second);
      }

      assertEquals(LongStream.rangeClosed(BEGUN + 1, BEGUN + seen.size()).boxed().toList(), seen);
      assertTrue(seen.size() > 2);
    }
  }

  /// A client whose cursor does not match the log.
  @Test
  void aReaderThatClaimsToHaveSeenMoreHoldsNobodyBack() throws Exception {
    try (Tail ahead = feeds.open(run, Long.MAX_VALUE - 1).orElseThrow();
        Tail honest = atHead()) {
      assertTrue(ahead.next().isEmpty());
      joined(ahead);
      assertTrue(ahead.next().isEmpty());

      List<Long> seen = new ArrayList<>();
      while (seen.isEmpty()) {
        joined(honest);
        add(honest, seen);
      }

      assertEquals(BEGUN + 1, seen.getFirst());
    }
  }

  @Test
  void neitherSkipsNorRepeatsWhatAStaleReadMisses() throws Exception {
    try (Tail tail = atHead()) {
      List<Long> seen = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        log.forget(i % 2);
        joined(tail);
        add(tail, seen);
      }

      assertEquals(LongStream.rangeClosed(BEGUN + 1, BEGUN + seen.size()).boxed().toList(), seen);
      assertFalse(seen.isEmpty());
    }
  }

  /// A reader that has everything that existed when it joined.
  private Tail atHead() {
    Tail tail = feeds.open(run, BEGUN).orElseThrow();
    assertTrue(tail.next().isEmpty());
    return tail;
  }

  private static void joined(Tail tail) throws InterruptedException {
    assertTrue(tail.pause(Instant.MAX));
  }

  private static void add(Tail tail, List<Long> seen) {
    tail.next().events().stream().map(StoredEvent::sequence).forEach(seen::add);
  }

  private static List<Long> readToEnd(Tail tail) throws InterruptedException {
    List<Long> seen = new ArrayList<>();
    try (tail) {
      while (!tail.ended()) {
        add(tail, seen);
        if (!tail.ended()) {
          tail.pause(Instant.MAX);
        }
      }
    }
    return seen;
  }

  /// A log that counts its reads, and whose cheap reads may miss the first chunks.
  private static final class CountedLog implements EventLog {
    private final EventLog log;
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger news = new AtomicInteger();
    private volatile int missed;

    CountedLog(EventLog log) {
      this.log = log;
    }

    int reads() {
      return reads.get();
    }

    int news() {
      return news.get();
    }

    void forget(int chunks) {
      missed = chunks;
    }

    @Override
    public AppendResult append(Chunk chunk) {
      return log.append(chunk);
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      reads.incrementAndGet();
      return log.chunksAfter(key, sequence);
    }

    @Override
    public List<Chunk> newsAfter(StreamKey key, long sequence) {
      news.incrementAndGet();
      List<Chunk> all = log.chunksAfter(key, sequence);
      return all.subList(Math.min(missed, all.size()), all.size());
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      return log.chunkAt(key, sequence);
    }
  }
}
