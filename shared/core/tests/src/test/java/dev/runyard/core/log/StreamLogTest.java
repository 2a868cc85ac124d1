package dev.runyard.core.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What a load of a long log costs the next one, and what its chunks carry.
final class StreamLogTest {
  private static final int KEPT_FROM = 2 * StreamLog.SNAPSHOT_EVENTS;
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(6));
  private final MemoryEventLog log = new MemoryEventLog();
  private final Kept kept = new Kept();
  private final RunLog runs = runs(kept);
  private RunState state = RunState.absent();

  @Test
  void aStateThatTookLongToFoldIsKept() {
    claimed();
    talk(KEPT_FROM - (int) state.sequence(), 1_000);
    runs.load(RUN);
    assertEquals(List.of(), kept.states);

    talk(1, 1);
    RunState folded = runs.load(RUN);

    assertEquals(List.of(folded), kept.states);
  }

  @Test
  void onlyWhatIsFoldedSinceTheSnapshotCounts() {
    claimed();
    talk(KEPT_FROM, 1_000);
    runs.load(RUN);
    talk(KEPT_FROM / 2, 1_000);

    runs.load(RUN);

    assertEquals(1, kept.states.size());
  }

  @Test
  void aLogThatIsTooLongForOneLoadIsContinuedByTheNext() {
    claimed();
    talk(EventLog.READ_CHUNKS_MAX * 600, 600);

    assertThrows(PortUnavailable.class, () -> runs.load(RUN));
    assertEquals(state, runs.load(RUN));
  }

  @Test
  void aLogOfSeveralReadsIsLoadedAtOnce() {
    claimed();
    talk(EventLog.READ_CHUNKS_MAX * 200, 200);

    assertEquals(state, runs.load(RUN));
    assertEquals(List.of(state), kept.states, "once, at its end");
  }

  /// A process that remembers what it folded reads little each time, and another would read all.
  @Test
  void theHeadIsKeptOnceTheKeptStateIsFarBehindHoweverLittleEachLoadFolds() {
    RunLog warm = runs(new RecentStates<>(kept, clock));
    claimed();
    for (int i = 0; i < 12; i++) {
      talk(StreamLog.SNAPSHOT_EVENTS, 1_000);
      warm.load(RUN);

      long reach = kept.latest(RUN).map(RunState::sequence).orElse(0L);
      assertTrue(state.sequence() - reach <= StreamLog.BEHIND_EVENTS_MAX, "in load " + i);
    }
    assertEquals(4, kept.states.size());
  }

  @Test
  void nothingIsKeptWhereTheProjectionKeepsUp() {
    RunLog warm = runs(new RecentStates<>(kept, clock));
    claimed();
    for (int i = 1; i <= 12; i++) {
      talk(StreamLog.SNAPSHOT_EVENTS, 1_000);
      kept.keep(state);
      talk(1_000, 1_000);

      warm.load(RUN);

      assertEquals(i, kept.states.size());
    }
    assertTrue(kept.looks <= 1 + 12 / 2, kept.looks + " looks");
  }

  /// The projection tells webhooks of it first.
  @Test
  void theEndOfALogIsNotKept() {
    claimed();
    talk(KEPT_FROM, 1_000);
    execute(new RunCommand.Cancel("enough"));
    execute(
        new RunCommand.Report("attempt-1", List.of(new RunEvent.AttemptCompleted(1, "attempt-1"))));
    execute(new RunCommand.Advance(clock.instant()));

    assertEquals(state, runs.load(RUN));
    assertEquals(List.of(), kept.states);
  }

  @Test
  void aHeadThatCannotBeKeptIsReadAllTheSame() {
    claimed();
    talk(KEPT_FROM, 1_000);
    kept.away = true;

    assertEquals(state, runs.load(RUN));
    assertEquals(state, kept.folded);
  }

  /// Each try may wait for an answer, and every load of a busy run would.
  @Test
  void aHeadThatCannotBeKeptIsTriedAgainOnceTheLogIsAsFarAgain() {
    RunLog warm = runs(new RecentStates<>(kept, clock));
    claimed();
    kept.away = true;
    for (int i = 0; i < 24; i++) {
      talk(StreamLog.SNAPSHOT_EVENTS / 2, 500);
      clock.advance(Duration.ofSeconds(i % 2 == 0 ? 0 : RecentStates.FRESH_SECONDS_MAX + 1L));
      assertEquals(state, warm.load(RUN));
    }

    assertEquals(5, kept.tries);
  }

  @Test
  void aLogIsLoadedWholeWhereNothingIsKept() {
    claimed();
    talk(EventLog.READ_CHUNKS_MAX * 600, 600);

    assertEquals(state, runs(Snapshots.none()).load(RUN));
    assertEquals(state, runs.catchUp(RUN, RunState.absent()));
  }

  /// Parts of a stream are removed in any order once their time is over.
  @Test
  void aLogThatHasLostItsBeginningAndItsSnapshotIsAsIfItHadNeverBeen() {
    claimed();
    talk(4, 2);
    EventLog rest = new WithoutBeginning(log);

    assertEquals(
        RunState.absent(),
        new RunLog(rest, kept, RunDecider.rules(), clock, ids, "test").load(RUN));
    kept.keep(state);
    assertEquals(state, new RunLog(rest, kept, RunDecider.rules(), clock, ids, "test").load(RUN));
  }

  @Test
  void whoeverFoldsOrChangesAStreamRemembersItsState() {
    claimed();
    assertEquals(state, kept.folded);
    kept.folded = RunState.absent();

    runs.load(RUN);

    assertEquals(state, kept.folded);
  }

  /// So that the functions hear of a run that only talks.
  @Test
  void aChunkCarriesTheStateWhereItChangesItOrWasNotToldForLong() {
    claimed();
    assertEquals(Optional.of("preparing"), newest().state());
    talk(StreamLog.SNAPSHOT_EVENTS - (int) state.sequence() - 1, 1_000);
    assertEquals(Optional.empty(), newest().state());

    talk(1, 1);
    assertEquals(Optional.of("preparing"), newest().state());

    talk(1, 1);
    assertEquals(Optional.empty(), newest().state());
    assertFalse(newest().closed());
    execute(new RunCommand.Cancel("enough"));
    execute(
        new RunCommand.Report("attempt-1", List.of(new RunEvent.AttemptCompleted(1, "attempt-1"))));
    execute(new RunCommand.Advance(clock.instant()));
    assertEquals(Optional.of("cancelled"), newest().state());
    assertTrue(newest().closed());
  }

  private Chunk newest() {
    return log.chunkAt(RUN, Long.MAX_VALUE).orElseThrow();
  }

  private void claimed() {
    execute(new RunCommand.Submit(SampleRequests.echo("session-1")));
    execute(new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));
  }

  private void talk(int events, int chunkEvents) {
    for (int left = events; left > 0; left -= chunkEvents) {
      execute(
          new RunCommand.Report(
              "attempt-1",
              Collections.nCopies(Math.min(left, chunkEvents), new RunEvent.ModelCompleted())));
    }
  }

  private void execute(RunCommand command) {
    state = runs.execute(RUN, state, command).state();
  }

  private RunLog runs(Snapshots<RunState> snapshots) {
    return new RunLog(log, snapshots, RunDecider.rules(), clock, ids, "test");
  }

  /// Snapshots of the states that a load kept.
  private static final class Kept implements Snapshots<RunState> {
    private final List<RunState> states = new ArrayList<>();
    private RunState folded = RunState.absent();
    private int looks;
    private int tries;
    private boolean away;

    @Override
    public Optional<RunState> latest(StreamKey key) {
      looks++;
      return states.isEmpty() ? Optional.empty() : Optional.of(states.getLast());
    }

    @Override
    public boolean keep(RunState state) {
      tries++;
      if (away) {
        throw new PortUnavailable("no answer");
      }
      states.add(state);
      return true;
    }

    @Override
    public void folded(StreamKey key, RunState state) {
      folded = state;
    }
  }
}
