package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [EventLog] promises for streams of every kind: tested with runs, unless [#samples]
/// says otherwise.
public abstract class EventLogContract {
  private static final int BIG_TEXT_CHARS = 200_000;
  private static final int BIG_CHUNKS = 14;
  private EventLog log;
  private SampleStreams samples;

  /// The log under test; it may hold other streams.
  protected abstract EventLog eventLog();

  /// Streams of the tested kind.
  protected SampleStreams samples() {
    return new RunStreams();
  }

  @BeforeEach
  void open() {
    log = eventLog();
    samples = samples();
  }

  @Test
  void appendsBehindTheHead() {
    StreamKey key = samples.key();

    assertEquals(AppendResult.appended(), log.append(samples.chunk(key, 1, "a", "b")));
    assertEquals(AppendResult.appended(), log.append(samples.chunk(key, 3, "c")));

    assertEquals(List.of("a", "b", "c"), texts(log.chunksAfter(key, 0)));
  }

  @Test
  void collidesWithWhatAnotherWriterWrote() {
    StreamKey key = samples.key();
    log.append(samples.chunk(key, 1, "theirs"));

    assertEquals(AppendResult.collision(), log.append(samples.chunk(key, 1, "mine")));

    assertEquals(List.of("theirs"), texts(log.chunksAfter(key, 0)));
  }

  @Test
  void recognisesItsOwnEarlierTry() {
    StreamKey key = samples.key();
    Chunk chunk = samples.chunk(key, 1, "once");
    log.append(chunk);
    log.append(samples.chunk(key, 2, "later"));

    assertEquals(AppendResult.appended(), log.append(chunk));

    assertEquals(List.of("once", "later"), texts(log.chunksAfter(key, 0)));
  }

  @Test
  void readsOnlyWhatBeginsAfterTheSequence() {
    StreamKey key = samples.key();
    log.append(samples.chunk(key, 1, "a", "b"));
    log.append(samples.chunk(key, 3, "c", "d"));
    log.append(samples.chunk(key, 5, "e"));

    assertEquals(List.of("c", "d", "e"), texts(log.chunksAfter(key, 2)));
    assertEquals(List.of("e"), texts(log.chunksAfter(key, 3)));
    assertEquals(List.of(), log.chunksAfter(key, 5));
    assertEquals(List.of(), log.chunksAfter(key, 99));
  }

  @Test
  void findsTheChunkASequenceIsIn() {
    StreamKey key = samples.key();
    Chunk first = samples.chunk(key, 1, "a", "b", "c");
    Chunk second = samples.chunk(key, 4, "d", "e");
    log.append(first);
    log.append(second);

    assertEquals(Optional.empty(), log.chunkAt(key, 0));
    assertEquals(Optional.of(first), log.chunkAt(key, 1));
    assertEquals(Optional.of(first), log.chunkAt(key, 2));
    assertEquals(Optional.of(first), log.chunkAt(key, 3));
    assertEquals(Optional.of(second), log.chunkAt(key, 4));
    assertEquals(Optional.of(second), log.chunkAt(key, 5));
    assertEquals(Optional.of(second), log.chunkAt(key, 6));
    assertEquals(Optional.of(second), log.chunkAt(key, Long.MAX_VALUE));
  }

  @Test
  void knowsNothingOfAStreamWithoutEvents() {
    StreamKey key = samples.key();

    assertEquals(List.of(), log.chunksAfter(key, 0));
    assertEquals(Optional.empty(), log.chunkAt(key, Long.MAX_VALUE));
  }

  @Test
  void keepsStreamsAndTenantsApart() {
    StreamKey mine = samples.key();
    StreamKey sameTenant = samples.key(mine.tenant());
    StreamKey sameId = samples.key(SampleRuns.tenant(), mine.id());
    log.append(samples.chunk(mine, 1, "mine"));
    log.append(samples.chunk(sameTenant, 1, "other stream"));
    log.append(samples.chunk(sameId, 1, "other tenant"));

    assertEquals(List.of("mine"), texts(log.chunksAfter(mine, 0)));
    assertEquals(List.of("other stream"), texts(log.chunksAfter(sameTenant, 0)));
    assertEquals(List.of("other tenant"), texts(log.chunksAfter(sameId, 0)));
  }

  @Test
  void returnsAtMostOneReadOfChunks() {
    StreamKey key = samples.key();
    int chunks = EventLog.READ_CHUNKS_MAX + 7;
    for (int i = 1; i <= chunks; i++) {
      log.append(samples.chunk(key, i, "text " + i));
    }

    List<Chunk> first = log.chunksAfter(key, 0);
    List<Chunk> second = log.chunksAfter(key, first.getLast().last());

    assertEquals(EventLog.READ_CHUNKS_MAX, first.size());
    assertEquals(7, second.size());
    assertEquals(chunks, second.getLast().last());
  }

  /// To a reader, fewer chunks than [EventLog#READ_CHUNKS_MAX] mean the end of the log.
  @Test
  void readsOnWherePagesEndAtAMegabyte() {
    StreamKey key = samples.key();
    SplittableRandom random = new SplittableRandom(11);
    List<String> written = new ArrayList<>();
    for (int i = 1; i <= BIG_CHUNKS; i++) {
      String text = noise(random);
      written.add(text);
      assertEquals(AppendResult.appended(), log.append(samples.chunk(key, i, text)));
    }

    assertEquals(written, texts(log.chunksAfter(key, 0)));
  }

  @Test
  void letsExactlyOneOfManyWritersWin() throws Exception {
    StreamKey key = samples.key();
    log.append(samples.chunk(key, 1, "head"));

    List<AppendResult> results = Race.run(i -> log.append(samples.chunk(key, 2, "writer " + i)));

    assertEquals(1, results.stream().filter(AppendResult.appended()::equals).count());
    assertEquals(2, log.chunksAfter(key, 0).size());
  }

  @Test
  void returnsAChunkAsItWasWritten() {
    StreamKey key = samples.key();
    Chunk plain = samples.chunk(key, 1, "größe 👋 \u0000 \n \"quoted\" \u2028", "");
    Chunk marked = samples.last(key, 3);
    log.append(plain);
    log.append(marked);

    assertEquals(List.of(plain, marked), log.chunksAfter(key, 0));
    assertEquals(marked.state(), log.chunkAt(key, 3).orElseThrow().state());
    assertTrue(log.chunkAt(key, 3).orElseThrow().closed());
  }

  @Test
  void keepsTheLinkToTheChunkBefore() {
    StreamKey key = samples.key();
    Chunk first = samples.chunk(key, 1, "a");
    Chunk second = linked(samples.chunk(key, 2, "b"), first);
    log.append(first);
    log.append(second);

    List<Chunk> read = log.chunksAfter(key, 0);
    assertEquals(Optional.empty(), read.getFirst().previous());
    assertEquals(Optional.of(first.hash()), read.getLast().previous());
    assertEquals(first.hash(), read.getFirst().hash());
    assertEquals(second.hash(), read.getLast().hash());
    assertEquals(second.hash(), log.chunkAt(key, 2).orElseThrow().hash());
  }

  private static Chunk linked(Chunk chunk, Chunk before) {
    return new Chunk(
        chunk.key(),
        chunk.id(),
        chunk.writer(),
        chunk.body(),
        chunk.state(),
        chunk.closed(),
        Optional.of(before.hash()));
  }

  private List<String> texts(List<Chunk> chunks) {
    return chunks.stream().flatMap(chunk -> samples.texts(chunk).stream()).toList();
  }

  private static String noise(SplittableRandom random) {
    StringBuilder text = new StringBuilder(BIG_TEXT_CHARS);
    for (int i = 0; i < BIG_TEXT_CHARS; i++) {
      text.append((char) random.nextInt('!', '~'));
    }
    return text.toString();
  }
}
