package dev.runyard.core.agentcommunication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ReadRunTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final MemoryEventLog log = new MemoryEventLog();
  private final MemoryReadModels models = new MemoryReadModels();
  private final RunLog runs =
      new RunLog(log, Snapshots.none(), RunDecider.rules(), clock, ids, "test");
  private final ReadRun reader = new ReadRun(log, new ProjectRun(runs, models));

  @Test
  void findsNoRunWhereThereIsNone() {
    assertFalse(reader.exists(RUN));
    assertEquals(Optional.empty(), reader.now(RUN));
    assertEquals(Optional.empty(), reader.at(RUN, 1));
  }

  @Test
  void showsARunAsItIsAndAsItWas() {
    running();
    assertTrue(reader.exists(RUN));
    assertEquals("in-progress", now());
    assertEquals(Optional.empty(), models.snapshot(RUN));

    ended();

    assertEquals("completed", now());
    assertEquals("created", at(1));
    assertEquals("in-progress", at(6));
    assertEquals("completed", at(runs.load(RUN).sequence()));
  }

  /// Whoever has seen its end asks for the session's history next.
  @Test
  void aRunThatIsSeenToHaveEndedIsInTheLists() {
    running();
    ended();

    now();

    assertTrue(models.snapshot(RUN).orElseThrow().closed());
  }

  @Test
  void saysWhichRunIsTooLong() {
    running();
    assertFalse(reader.isTooLong(RUN));
    append(ReadRun.EVENTS_MAX);
    assertFalse(reader.isTooLong(RUN));

    append(ReadRun.EVENTS_MAX + 1);

    assertTrue(reader.isTooLong(RUN));
  }

  private String now() {
    return reader.now(RUN).orElseThrow().path("status").asText();
  }

  private String at(long sequence) {
    return reader.at(RUN, sequence).orElseThrow().path("status").asText();
  }

  /// An event far from the others.
  private void append(long sequence) {
    StoredEvent event =
        new StoredEvent(
            RUN,
            RUN.runId(),
            "attempt-1",
            sequence,
            clock.instant(),
            new RunEvent.ModelCompleted());
    ChunkBody body = ChunkBody.of(EventCodec.RUNS, List.of(event));
    log.append(new Chunk(RUN, "id-" + sequence, "test", body, Optional.empty(), false));
  }

  private void running() {
    RunRequest request = SampleRequests.echo(RUN.runId());
    runs.execute(RUN, new RunCommand.Submit(request));
    runs.execute(RUN, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));
    report(new RunEvent.TurnStarted(1), new RunEvent.ProcessStarted("process-1", "echo"));
  }

  private void ended() {
    report(
        new RunEvent.ProcessCompleted("process-1", 0, null, 5),
        new RunEvent.AttemptCompleted(1, "attempt-1"));
    runs.execute(RUN, new RunCommand.Advance(clock.instant()));
  }

  private void report(RunEvent... events) {
    runs.execute(RUN, new RunCommand.Report("attempt-1", List.of(events)));
  }
}
