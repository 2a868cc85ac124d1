package dev.runyard.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.advance.Lanes;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.LogAhead;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class StreamBatchTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private final SettableClock clock = new SettableClock(NOW);
  private final Ids ids = new RandomIds(new Random(2));
  private final MemoryRunQueue failures = new MemoryRunQueue(clock, 60);
  private final List<RunKey> handled = new ArrayList<>();
  private final List<RunKey> setAside = new ArrayList<>();
  private final Set<RunKey> away = new HashSet<>();
  private final Set<RunKey> ahead = new HashSet<>();
  private final Set<RunKey> broken = new HashSet<>();
  private boolean failuresAway;
  private boolean failuresBroken;
  private final Log log = new Log();
  private final StreamBatch batch = new StreamBatch(log, clock, Lanes.one());

  @Test
  void handlesEachStreamOnceInTheOrderOfTheRecords() {
    RunKey first = run();
    RunKey second = run();

    assertEquals(List.of(), handle(fresh("1", first), fresh("2", second), fresh("3", first)));

    assertEquals(List.of(first, second), handled);
    assertEquals(List.of(), log.lines);
  }

  @Test
  void asksForTheFirstRecordOfAStreamAgainWhosePortDidNotAnswer() {
    RunKey run = run();
    RunKey other = run();
    away.add(run);

    assertEquals(List.of("1"), handle(fresh("1", run), fresh("2", other), fresh("3", run)));

    assertEquals(List.of(other), handled);
    assertEquals(List.of("unavailable " + run.partition()), log.lines);
  }

  @Test
  void triesNoMoreOnceAPortDoesNotAnswer() {
    List<RunKey> runs = new ArrayList<>();
    StreamRecord[] records = new StreamRecord[StreamBatch.UNAVAILABLE_MAX + 2];
    List<String> all = new ArrayList<>();
    for (int i = 0; i < records.length; i++) {
      runs.add(run());
      records[i] = fresh("" + i, runs.get(i));
      all.add("" + i);
    }
    away.addAll(runs.subList(0, StreamBatch.UNAVAILABLE_MAX));

    assertEquals(all, handle(records));

    assertEquals(List.of(), handled);
    assertEquals(StreamBatch.UNAVAILABLE_MAX, log.lines.size());
  }

  @Test
  void countsOnlyStreamsInARowThatGotNoAnswer() {
    List<StreamRecord> records = new ArrayList<>();
    RunKey last = run();
    for (int i = 0; i < StreamBatch.UNAVAILABLE_MAX; i++) {
      RunKey gone = run();
      away.add(gone);
      records.add(fresh("gone-" + i, gone));
      records.add(fresh("there-" + i, run()));
    }
    records.add(fresh("last", last));

    assertEquals(
        List.of("gone-0", "gone-1", "gone-2"), handle(records.toArray(StreamRecord[]::new)));

    assertEquals(last, handled.getLast());
  }

  @Test
  void goesOnBehindStreamsWhoseLogsTakeSeveralTries() {
    List<StreamRecord> records = new ArrayList<>();
    List<String> loud = new ArrayList<>();
    for (int i = 0; i <= StreamBatch.UNAVAILABLE_MAX; i++) {
      RunKey run = run();
      ahead.add(run);
      loud.add("" + i);
      records.add(fresh("" + i, run));
    }
    RunKey last = run();
    records.add(fresh("last", last));

    assertEquals(loud, handle(records.toArray(StreamRecord[]::new)));

    assertEquals(List.of(last), handled);
  }

  @Test
  void setsAStreamAsideThatFails() {
    RunKey run = run();
    RunKey other = run();
    broken.add(run);

    assertEquals(List.of(), handle(fresh("1", run), fresh("2", other)));

    assertEquals(List.of(run), setAside);
    assertEquals(List.of(other), handled);
    assertEquals(
        List.of("run_failed " + run.partition(), "set aside " + run.partition()), log.lines);
  }

  @Test
  void asksAgainForAStreamThatCouldNotBeSetAside() {
    RunKey run = run();
    broken.add(run);
    failuresAway = true;

    assertEquals(List.of("1"), handle(fresh("1", run)));

    assertEquals("set_aside_unavailable " + run.partition(), log.lines.getLast());
  }

  @Test
  void passesOverAStreamThatAlsoFailsWhenItIsSetAside() {
    RunKey run = run();
    RunKey other = run();
    broken.add(run);
    failuresBroken = true;

    assertEquals(List.of(), handle(fresh("1", run), fresh("2", other)));

    assertEquals(List.of(other), handled);
    assertEquals(
        List.of("run_failed " + run.partition(), "set_aside_failed " + run.partition()), log.lines);
  }

  @Test
  void setsAStreamAsideThatWaitedTooLongForItsPort() {
    RunKey old = run();
    RunKey young = run();
    RunKey ageless = run();
    away.addAll(List.of(old, young, ageless));
    Instant limit = NOW.minusSeconds(StreamBatch.SET_ASIDE_AFTER_SECONDS);

    assertEquals(
        List.of("2", "3"),
        handle(
            new StreamRecord(old.partition(), "1", Optional.of(limit)),
            new StreamRecord(young.partition(), "2", Optional.of(limit.plusMillis(1))),
            new StreamRecord(ageless.partition(), "3", Optional.empty())));

    assertEquals(List.of(old), setAside);
  }

  @Test
  void passesOverWhatHasNoRouteOrIsNoStream() {
    RunKey run = run();

    assertEquals(
        List.of(),
        handle(
            new StreamRecord("acme#counter#1", "1", Optional.of(NOW)),
            new StreamRecord("acme", "2", Optional.of(NOW)),
            new StreamRecord("acme#run#1", "3", Optional.of(NOW)),
            fresh("4", run)));

    assertEquals(List.of("unknown counter", "no stream", "no stream"), log.lines);
    assertEquals(List.of(run), handled);
  }

  @Test
  void aRunThatCouldNotBeHandledIsLeftToTheSweep() {
    RunKey run = run();
    StreamRoute<RunKey> route =
        StreamRoute.runs(
            _ -> {
              throw new IllegalStateException("broken");
            },
            failures);

    assertEquals(List.of(), batch.handle(List.of(fresh("1", run)), List.of(route)));

    assertEquals(List.of(run), failures.runs());
    assertEquals(1, failures.depth().waiting());
  }

  private List<String> handle(StreamRecord... records) {
    return batch.handle(
        Arrays.asList(records),
        List.of(new StreamRoute<>(RunKey.KIND, RunKey::ofPartition, this::handle, this::setAside)));
  }

  private void handle(RunKey run) {
    if (away.contains(run)) {
      throw new PortUnavailable("no answer");
    }
    if (ahead.contains(run)) {
      throw new LogAhead();
    }
    if (broken.contains(run)) {
      throw new IllegalStateException("broken");
    }
    handled.add(run);
  }

  private void setAside(RunKey run) {
    if (failuresAway) {
      throw new PortUnavailable("no answer");
    }
    if (failuresBroken) {
      throw new IllegalStateException("broken");
    }
    setAside.add(run);
  }

  private static StreamRecord fresh(String sequenceNumber, RunKey run) {
    return new StreamRecord(run.partition(), sequenceNumber, Optional.of(NOW));
  }

  private RunKey run() {
    return new RunKey("acme", ids.runId(clock.instant()));
  }

  private static final class Log implements BatchLog {
    private final List<String> lines = new ArrayList<>();

    @Override
    public void failed(String event, StreamKey stream, RuntimeException cause) {
      lines.add(event + " " + stream.partition());
    }

    @Override
    public void setAside(StreamKey stream) {
      lines.add("set aside " + stream.partition());
    }

    @Override
    public void unknown(StreamKind kind) {
      lines.add("unknown " + kind.name());
    }

    @Override
    public void noStream(IllegalArgumentException cause) {
      lines.add("no stream");
    }
  }
}
