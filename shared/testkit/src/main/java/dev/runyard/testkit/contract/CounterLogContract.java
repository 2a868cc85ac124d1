package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.log.StreamLog;
import dev.runyard.testkit.counter.Counter;
import dev.runyard.testkit.counter.CounterCodec;
import dev.runyard.testkit.counter.CounterCommand;
import dev.runyard.testkit.counter.CounterEvent;
import dev.runyard.testkit.counter.CounterStream;
import dev.runyard.testkit.counter.StoredCount;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [EventLog] promises, for another kind of stream than runs; and what [StreamLog] does
/// with its rules.
public abstract class CounterLogContract extends EventLogContract {
  private static final CounterCommand COUNT = new CounterCommand.Count("one");
  private static final CounterCommand STOP = new CounterCommand.Stop();

  private EventLog events;
  private StreamLog<Counter, CounterCommand, Optional<CounterEvent>, StoredCount> counters;
  private StreamKey key;

  @Override
  protected SampleStreams samples() {
    return new CounterStreams();
  }

  @BeforeEach
  void count() {
    events = eventLog();
    counters = counters(Snapshots.none());
    key = samples().key();
  }

  @Test
  void foldsDecidesAndAppends() {
    assertEquals(new Counter(0, 0, false), counters.load(key));
    assertEquals(
        new Counter(1, 1, false), counters.execute(key, counters.load(key), COUNT).state());
    assertTrue(counters.execute(key, counters.load(key), STOP).state().closed());

    assertTrue(counters.execute(key, counters.load(key), COUNT).appended().isEmpty());
    assertEquals(new Counter(2, 1, true), counters.load(key));
    List<Chunk> chunks = events.chunksAfter(key, 0);
    assertEquals(
        List.of(Optional.empty(), Optional.of("stopped")),
        chunks.stream().map(Chunk::state).toList());
    assertEquals(List.of(false, true), chunks.stream().map(Chunk::closed).toList());
  }

  @Test
  void decidesAgainOnWhatAnotherWriterWrote() {
    Counter before = counters.load(key);
    counters.execute(key, before, STOP);

    var result = counters.execute(key, before, COUNT);

    assertEquals(Optional.empty(), result.decision());
    assertEquals(new Counter(1, 0, true), result.state());
  }

  @Test
  void keepsItsRulesHoweverManyWrite() throws Exception {
    Counter before = counters.load(key);

    var results = Race.run(_ -> counters.execute(key, before, COUNT));

    assertTrue(Race.THREADS > CounterStream.COUNT_MAX);
    assertEquals(
        CounterStream.COUNT_MAX,
        results.stream().filter(result -> !result.appended().isEmpty()).count());
    assertEquals(CounterStream.COUNT_MAX, counters.load(key).count());
  }

  @Test
  void isReadByACursorAndFromASnapshot() {
    counters.execute(key, counters.load(key), COUNT);
    Counter snapshot = counters.execute(key, counters.load(key), COUNT).state();
    counters.execute(key, snapshot, STOP);

    EventCursor<StoredCount> cursor = new EventCursor<>(events, CounterCodec.COUNTERS, key, 1);
    assertFalse(cursor.closed());
    assertEquals(
        List.of(new CounterEvent.Counted("one"), new CounterEvent.Stopped()),
        cursor.next().stream().map(StoredCount::event).toList());
    assertTrue(cursor.closed());
    assertEquals(new Counter(3, 2, true), counters(_ -> Optional.of(snapshot)).load(key));
  }

  @Test
  void keepsKindsApart() {
    SampleStreams runs = new RunStreams();
    StreamKey run = runs.key(key.tenant(), key.id());
    events.append(runs.chunk(run, 1, "of the run"));
    events.append(samples().chunk(key, 1, "of the counter"));

    assertEquals(List.of("of the run"), runs.texts(events.chunksAfter(run, 0).getFirst()));
    assertEquals(List.of("of the counter"), samples().texts(events.chunksAfter(key, 0).getFirst()));
    assertEquals(1, counters.load(key).count());
  }

  private StreamLog<Counter, CounterCommand, Optional<CounterEvent>, StoredCount> counters(
      Snapshots<Counter> snapshots) {
    Ids ids = new RandomIds(new Random(7));
    return new StreamLog<>(
        new CounterStream(), events, snapshots, () -> SampleRuns.START, ids, "test");
  }
}
