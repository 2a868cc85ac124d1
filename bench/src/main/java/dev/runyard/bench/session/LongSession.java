package dev.runyard.bench.session;

import dev.runyard.core.access.Identity;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// A session of many turns, and other runs of its tenant that came later. They are played in memory
/// by the rules of a stack; what a stack would have stored of them is then put into a store: the
/// logs of the session and its read models, and the read models of the others.
final class LongSession {
  static final String SESSION = "bench-session";
  private static final SubmitRun.By BY = new SubmitRun.By(Identity.TENANT_DEFAULT, "bench");
  private static final int OTHERS_TOGETHER = 1_000;
  private static final int TIMEOUT_SECONDS = 3_600;
  private static final String TEXT =
      "What the turn was about, in as many words as the answer of an agent mostly ends with. ";
  private static final int TEXTS = 5;

  private final Ports store;
  private final RandomIds ids = new RandomIds(new Random(3));
  private final SettableClock clock;

  private LongSession(Ports store, Instant begin) {
    this.store = store;
    this.clock = new SettableClock(begin);
  }

  /// @param begin of the first turn, a second before the next run, and so on
  static void fill(Ports store, int turns, int others, Instant begin) {
    LongSession session = new LongSession(store, begin);
    session.fill(turns, Optional.of(SESSION), true);
    for (int left = others; left > 0; left -= OTHERS_TOGETHER) {
      session.fill(Math.min(left, OTHERS_TOGETHER), Optional.empty(), false);
    }
  }

  private void fill(int count, Optional<String> of, boolean logs) {
    MemoryEventLog log = new MemoryEventLog();
    MemoryPorts memory = new MemoryPorts(log, clock);
    UseCases cases = new UseCases(memory, clock, ids, "bench");
    for (int i = 0; i < count; i++) {
      store.models().save(ran(cases, of.orElseGet(ids::token)));
      clock.advance(Duration.ofSeconds(1));
    }
    if (logs) {
      log.streams().forEach(stream -> copy(log, stream));
    }
  }

  private void copy(MemoryEventLog log, StreamKey stream) {
    long after = 0;
    List<Chunk> chunks = log.chunksAfter(stream, after);
    while (!chunks.isEmpty()) {
      for (Chunk chunk : chunks) {
        if (!(store.events().append(chunk) instanceof AppendResult.Appended)) {
          throw new IllegalStateException("not stored: " + chunk);
        }
      }
      chunks = log.chunksAfter(stream, chunks.getLast().first());
    }
  }

  /// A run that has completed.
  private RunState.Existing ran(UseCases cases, String session) {
    RunKey run =
        switch (cases.submitRun().submit(BY, request(session), Optional.empty())) {
          case SubmitRun.Result.Accepted(RunState.Existing accepted, boolean _) ->
              accepted.facts().run();
          case SubmitRun.Result.Rejected(var problem) ->
              throw new IllegalStateException(problem.toString());
        };
    String attempt = ids.token();
    cases.runs().execute(run, new RunCommand.Claim(attempt, "runner", "ticket", clock.instant()));
    report(cases, run, attempt, List.of(new RunEvent.ProcessStarted("p", "bench")));
    report(
        cases,
        run,
        attempt,
        List.of(
            new RunEvent.ModelDelta(TEXT.repeat(TEXTS)),
            new RunEvent.ModelCompleted(),
            new RunEvent.ProcessCompleted("p", 0, null, 1_000),
            new RunEvent.AttemptCompleted(1, attempt)));
    return (RunState.Existing) cases.advanceRun().advance(run);
  }

  private static void report(UseCases cases, RunKey run, String attempt, List<RunEvent> events) {
    var _ = cases.runs().execute(run, new RunCommand.Report(attempt, events));
  }

  private static RunRequest request(String session) {
    return new RunRequest(
        "echo",
        TEXT,
        session,
        Map.of(),
        List.of(),
        null,
        TIMEOUT_SECONDS,
        Map.of(),
        Map.of(),
        RetryPolicy.NEVER);
  }
}
