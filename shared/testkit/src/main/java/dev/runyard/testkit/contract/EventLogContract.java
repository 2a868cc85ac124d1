package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [EventLog] promises.
public abstract class EventLogContract {
  private static final int BIG_TEXT_CHARS = 200_000;
  private static final int BIG_CHUNKS = 14;
  private static final int LOOKS_MAX = 1_000;
  private EventLog log;

  /// The log under test; it may hold other runs.
  protected abstract EventLog eventLog();

  @BeforeEach
  void open() {
    log = eventLog();
  }

  @Test
  void appendsBehindTheHead() {
    RunKey run = SampleRuns.run();

    assertEquals(AppendResult.appended(), log.append(SampleRuns.chunk(run, 1, "a", "b")));
    assertEquals(AppendResult.appended(), log.append(SampleRuns.chunk(run, 3, "c")));

    assertEquals(List.of("a", "b", "c"), texts(log.chunksAfter(run, 0)));
  }

  @Test
  void collidesWithWhatAnotherWriterWrote() {
    RunKey run = SampleRuns.run();
    log.append(SampleRuns.chunk(run, 1, "theirs"));

    assertEquals(AppendResult.collision(), log.append(SampleRuns.chunk(run, 1, "mine")));

    assertEquals(List.of("theirs"), texts(log.chunksAfter(run, 0)));
  }

  @Test
  void recognisesItsOwnEarlierTry() {
    RunKey run = SampleRuns.run();
    Chunk chunk = SampleRuns.chunk(run, 1, "once");
    log.append(chunk);
    log.append(SampleRuns.chunk(run, 2, "later"));

    assertEquals(AppendResult.appended(), log.append(chunk));

    assertEquals(List.of("once", "later"), texts(log.chunksAfter(run, 0)));
  }

  @Test
  void readsOnlyWhatBeginsAfterTheSequence() {
    RunKey run = SampleRuns.run();
    log.append(SampleRuns.chunk(run, 1, "a", "b"));
    log.append(SampleRuns.chunk(run, 3, "c", "d"));
    log.append(SampleRuns.chunk(run, 5, "e"));

    assertEquals(List.of("c", "d", "e"), texts(log.chunksAfter(run, 2)));
    assertEquals(List.of("e"), texts(log.chunksAfter(run, 3)));
    assertEquals(List.of(), log.chunksAfter(run, 5));
    assertEquals(List.of(), log.chunksAfter(run, 99));
  }

  @Test
  void hasNewsBehindTheHeadOnly() {
    RunKey run = SampleRuns.run();
    log.append(SampleRuns.chunk(run, 1, "a", "b"));
    log.append(SampleRuns.chunk(run, 3, "c"));

    assertFalse(log.hasNews(run, 3));
    assertFalse(log.hasNews(SampleRuns.run(), 0));
    assertTrue(seesNews(run, 2));
  }

  /// A look may be stale for a moment.
  private boolean seesNews(RunKey run, long sequence) {
    boolean seen = false;
    for (int i = 0; i < LOOKS_MAX && !seen; i++) {
      seen = log.hasNews(run, sequence);
    }
    return seen;
  }

  @Test
  void findsTheChunkASequenceIsIn() {
    RunKey run = SampleRuns.run();
    Chunk first = SampleRuns.chunk(run, 1, "a", "b", "c");
    Chunk second = SampleRuns.chunk(run, 4, "d", "e");
    log.append(first);
    log.append(second);

    assertEquals(Optional.empty(), log.chunkAt(run, 0));
    assertEquals(Optional.of(first), log.chunkAt(run, 1));
    assertEquals(Optional.of(first), log.chunkAt(run, 2));
    assertEquals(Optional.of(first), log.chunkAt(run, 3));
    assertEquals(Optional.of(second), log.chunkAt(run, 4));
    assertEquals(Optional.of(second), log.chunkAt(run, 5));
    assertEquals(Optional.of(second), log.chunkAt(run, 6));
    assertEquals(Optional.of(second), log.chunkAt(run, Long.MAX_VALUE));
  }

  @Test
  void knowsNothingOfARunWithoutEvents() {
    RunKey run = SampleRuns.run();

    assertEquals(List.of(), log.chunksAfter(run, 0));
    assertEquals(Optional.empty(), log.chunkAt(run, Long.MAX_VALUE));
  }

  @Test
  void keepsRunsAndTenantsApart() {
    RunKey mine = SampleRuns.run();
    RunKey sameTenant = SampleRuns.run(mine.tenant());
    RunKey sameId = new RunKey(SampleRuns.tenant(), mine.runId());
    log.append(SampleRuns.chunk(mine, 1, "mine"));
    log.append(SampleRuns.chunk(sameTenant, 1, "other run"));
    log.append(SampleRuns.chunk(sameId, 1, "other tenant"));

    assertEquals(List.of("mine"), texts(log.chunksAfter(mine, 0)));
    assertEquals(List.of("other run"), texts(log.chunksAfter(sameTenant, 0)));
    assertEquals(List.of("other tenant"), texts(log.chunksAfter(sameId, 0)));
  }

  @Test
  void returnsAtMostOneReadOfChunks() {
    RunKey run = SampleRuns.run();
    int chunks = EventLog.READ_CHUNKS_MAX + 7;
    for (int i = 1; i <= chunks; i++) {
      log.append(SampleRuns.chunk(run, i, "text " + i));
    }

    List<Chunk> first = log.chunksAfter(run, 0);
    List<Chunk> second = log.chunksAfter(run, first.getLast().last());

    assertEquals(EventLog.READ_CHUNKS_MAX, first.size());
    assertEquals(7, second.size());
    assertEquals(chunks, second.getLast().last());
  }

  /// A reader takes fewer chunks than [EventLog#READ_CHUNKS_MAX] for the end of the log.
  @Test
  void readsOnWherePagesEndAtAMegabyte() {
    RunKey run = SampleRuns.run();
    SplittableRandom random = new SplittableRandom(11);
    List<String> written = new ArrayList<>();
    for (int i = 1; i <= BIG_CHUNKS; i++) {
      String text = noise(random);
      written.add(text);
      assertEquals(AppendResult.appended(), log.append(SampleRuns.chunk(run, i, text)));
    }

    assertEquals(written, texts(log.chunksAfter(run, 0)));
  }

  @Test
  void letsExactlyOneOfManyWritersWin() throws Exception {
    RunKey run = SampleRuns.run();
    log.append(SampleRuns.chunk(run, 1, "head"));

    List<AppendResult> results = Race.run(i -> log.append(SampleRuns.chunk(run, 2, "writer " + i)));

    assertEquals(1, results.stream().filter(AppendResult.appended()::equals).count());
    assertEquals(2, log.chunksAfter(run, 0).size());
  }

  @Test
  void returnsAChunkAsItWasWritten() {
    RunKey run = SampleRuns.run();
    Chunk plain = SampleRuns.chunk(run, 1, "größe 👋 \u0000 \n \"quoted\" \u2028", "");
    Chunk marked =
        new Chunk(
            run,
            SampleRuns.chunkId(),
            "runner/ü 7",
            List.of(
                new StoredEvent(
                    run, "session-1", null, 3, SampleRuns.START, new RunEvent.TaskCompleted())),
            Optional.of("completed"),
            true);
    log.append(plain);
    log.append(marked);

    assertEquals(List.of(plain, marked), log.chunksAfter(run, 0));
    assertTrue(log.chunkAt(run, 3).orElseThrow().closed());
  }

  private static List<String> texts(List<Chunk> chunks) {
    return chunks.stream()
        .flatMap(chunk -> chunk.events().stream())
        .map(stored -> ((RunEvent.ModelDelta) stored.event()).text())
        .toList();
  }

  private static String noise(SplittableRandom random) {
    StringBuilder text = new StringBuilder(BIG_TEXT_CHARS);
    for (int i = 0; i < BIG_TEXT_CHARS; i++) {
      text.append((char) random.nextInt('!', '~'));
    }
    return text.toString();
  }
}
