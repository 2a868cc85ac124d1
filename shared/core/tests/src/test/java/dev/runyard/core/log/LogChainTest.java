package dev.runyard.core.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import dev.runyard.core.stream.Chain;
import dev.runyard.core.stream.ChunkHash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Every writer links its chunk to the one before, and who reads them notices another.
final class LogChainTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000000");

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Counted log = new Counted();
  private Optional<RunState> snapshot = Optional.empty();

  @Test
  void everyWriterLinksToTheChunkBefore() {
    begin();
    writer("api").execute(RUN, new RunCommand.Cancel("enough"));
    ChainCheck check = check(chunks());
    assertEquals(Optional.empty(), check.broken());
    assertEquals(0, check.unlinked());
    assertEquals(5, check.chunks());
    assertEquals(check.head(), chainOf(writer("other").load(RUN)).map(Chain::head));
  }

  /// A function starts from the read model, which has the hash: it reads nothing for it.
  @Test
  void aWriterThatStartsFromASnapshotReadsNothingMore() {
    begin();
    RunState.Existing state = (RunState.Existing) writer("api").load(RUN);
    snapshot = Optional.of(SnapshotCodec.unpack(SnapshotCodec.pack(state)));
    log.reads = 0;
    writer("cancel").execute(RUN, new RunCommand.Cancel("enough"));
    assertEquals(1, log.reads, "the read of the tail, which is empty");
    assertEquals(Optional.empty(), check(chunks()).broken());
    assertEquals(0, check(chunks()).unlinked());
  }

  @Test
  void noticesAChunkThatWasChanged() {
    begin();
    List<Chunk> chunks = chunks();
    for (int i = 0; i < chunks.size(); i++) {
      Chunk one = chunks.get(i);
      for (Chunk changed :
          List.of(
              with(one, "another id", one.writer(), one.body(), one.state()),
              with(one, one.id(), "another writer", one.body(), one.state()),
              with(one, one.id(), one.writer(), one.body(), Optional.of("another state")),
              with(one, one.id(), one.writer(), said(one, "changed"), one.state()))) {
        List<Chunk> forged = new ArrayList<>(chunks);
        forged.set(i, changed);
        assertNotEquals(one.hash(), changed.hash());
        ChainCheck check = check(forged);
        check.compare(check.last(), chunks.getLast().hash());
        long found = i + 1 < chunks.size() ? chunks.get(i + 1).first() : one.first();
        assertEquals(Optional.of(found), check.broken().map(ChainCheck.Break::first), "chunk " + i);
      }
    }
  }

  @Test
  void noticesAChunkThatIsMissing() {
    begin();
    List<Chunk> chunks = new ArrayList<>(chunks());
    Chunk gone = chunks.remove(1);
    assertEquals(
        Optional.of(new ChainCheck.Break(gone.last() + 1, ChainCheck.Cause.GAP)),
        check(chunks).broken());
  }

  /// Who changes a chunk and links all that follow anew leaves no trace in the log itself.
  @Test
  void aLogThatWasWrittenAnewIsNotTheOneTheReadModelWasMadeFrom() {
    begin();
    List<Chunk> chunks = chunks();
    List<Chunk> anew = new ArrayList<>();
    Optional<ChunkHash> previous = Optional.empty();
    for (Chunk one : chunks) {
      Chunk next =
          new Chunk(
              RUN, one.id() + "x", one.writer(), one.body(), one.state(), one.closed(), previous);
      anew.add(next);
      previous = Optional.of(next.hash());
    }
    ChainCheck check = check(anew);
    assertEquals(Optional.empty(), check.broken());
    check.compare(check.last(), chunks.getLast().hash());
    assertEquals(
        Optional.of(ChainCheck.Cause.OTHER_THAN_READ), check.broken().map(ChainCheck.Break::cause));
  }

  @Test
  void aStateSaysWhereItsLogIsBrokenAndGoesOn() {
    begin();
    Chunk last = chunks().getLast();
    RunState before = writer("api").load(RUN);
    log.append(
        new Chunk(
            RUN,
            "forged",
            "nobody",
            said(last.last() + 1, "forged"),
            Optional.empty(),
            false,
            Optional.of(ChunkHash.of(new byte[ChunkHash.HASH_BYTES]))));
    RunState after = writer("api").catchUp(RUN, before);
    assertEquals(Optional.of(last.last() + 1), chainOf(after).map(Chain::brokenAt));
    writer("api").execute(RUN, new RunCommand.Cancel("enough"));
    assertEquals(
        Optional.of(last.last() + 1), chainOf(writer("api").load(RUN)).map(Chain::brokenAt));
    assertEquals(
        Optional.of(new ChainCheck.Break(last.last() + 1, ChainCheck.Cause.OTHER_BEFORE)),
        check(chunks()).broken());
  }

  @Test
  void aLogOfAnEarlierVersionIsReadAndContinued() {
    begin();
    List<Chunk> older = chunks();
    MemoryEventLog earlier = new MemoryEventLog();
    older.forEach(
        one ->
            earlier.append(
                new Chunk(RUN, one.id(), one.writer(), one.body(), one.state(), one.closed())));
    log.log = earlier;
    writer("new").execute(RUN, new RunCommand.Cancel("enough"));
    ChainCheck check = check(chunks());
    assertEquals(Optional.empty(), check.broken());
    assertEquals(older.size() - 1, check.unlinked());
    assertTrue(chunks().getLast().previous().isPresent(), "the new one is linked");
  }

  private void begin() {
    writer("api").execute(RUN, new RunCommand.Submit(request()));
    writer("runner").execute(RUN, new RunCommand.Claim("a-1", "r", "t", clock.instant()));
    report(new RunEvent.TurnStarted(1), new RunEvent.ProcessStarted("p-1", "echo"));
    report(new RunEvent.ModelDelta("hello"));
  }

  private void report(RunEvent... events) {
    writer("runner").execute(RUN, new RunCommand.Report("a-1", List.of(events)));
  }

  /// Another process: it knows nothing but the log and the snapshot.
  private RunLog writer(String name) {
    return new RunLog(
        log,
        _ -> snapshot,
        RunDecider.rules(),
        clock,
        new RandomIds(new Random(name.hashCode() + log.appends)),
        name);
  }

  private List<Chunk> chunks() {
    return log.chunksAfter(RUN, 0);
  }

  private static Optional<Chain> chainOf(RunState state) {
    return state.chain();
  }

  private static ChainCheck check(List<Chunk> chunks) {
    ChainCheck check = new ChainCheck();
    chunks.stream().map(ChainCheck.Link::of).forEach(check::follow);
    return check;
  }

  private static Chunk with(
      Chunk chunk, String id, String writer, ChunkBody body, Optional<String> state) {
    return new Chunk(RUN, id, writer, body, state, chunk.closed(), chunk.previous());
  }

  private static ChunkBody said(Chunk chunk, String text) {
    ChunkBody said = said(chunk.first(), text);
    return ChunkBody.stored(chunk.first(), chunk.last(), said.bytes());
  }

  private static ChunkBody said(long sequence, String text) {
    return ChunkBody.of(
        EventCodec.RUNS,
        List.of(
            new StoredEvent(
                RUN, "s-1", "a-1", sequence, Instant.EPOCH, new RunEvent.ModelDelta(text))));
  }

  private static RunRequest request() {
    return new RunRequest(
        "echo",
        "hello",
        "s-1",
        Map.of(),
        List.of(),
        null,
        60,
        Map.of(),
        Map.of(),
        RetryPolicy.NEVER);
  }

  /// A log that counts its calls.
  private static final class Counted implements EventLog {
    private MemoryEventLog log = new MemoryEventLog();
    private int reads;
    private int appends;

    @Override
    public AppendResult append(Chunk chunk) {
      appends++;
      return log.append(chunk);
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      reads++;
      return log.chunksAfter(key, sequence);
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      reads++;
      return log.chunkAt(key, sequence);
    }
  }
}
