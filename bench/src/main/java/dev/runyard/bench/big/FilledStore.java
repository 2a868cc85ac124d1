package dev.runyard.bench.big;

import dev.runyard.bench.stack.IdleStore;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Fills the store of a data folder with runs that have ended, through the ports and the rules that
/// a stack uses, as fast as it goes: nothing is synced.
final class FilledStore {
  private static final int CHUNK_EVENTS = 1_000;
  private static final int WORDS = 12;
  private static final int WORD_MAX = 5_000;
  private static final int TIMEOUT_SECONDS = 3_600;

  private final UseCases useCases;
  private final RunLog runs;
  private final InstantSource clock;
  private final Ids ids;
  private final Random random = new Random(1);

  private FilledStore(Ports ports, InstantSource clock) {
    this.clock = clock;
    this.ids = new RandomIds(random);
    this.useCases = new UseCases(ports, clock, ids, "bench");
    this.runs = useCases.runs();
  }

  /// Adds `runCount` runs with `events` events of output each.
  static void fill(Path folder, String tenant, int runCount, int events) {
    IdleStore.with(
        folder,
        ports -> {
          FilledStore filled = new FilledStore(ports, InstantSource.system());
          for (int i = 0; i < runCount; i++) {
            filled.run(tenant, events);
          }
        });
  }

  private void run(String tenant, int events) {
    RunKey run = new RunKey(tenant, ids.runId(clock.instant()));
    String attempt = ids.token();
    String process = "process-" + attempt;
    runs.execute(run, new RunCommand.Submit(request()));
    runs.execute(run, new RunCommand.Claim(attempt, "runner", "ticket", clock.instant()));
    report(run, attempt, List.of(new RunEvent.ProcessStarted(process, "bench")));
    for (int left = events; left > 0; left -= CHUNK_EVENTS) {
      report(run, attempt, output(Math.min(left, CHUNK_EVENTS)));
    }
    report(
        run,
        attempt,
        List.of(
            new RunEvent.ModelCompleted(),
            new RunEvent.ProcessCompleted(process, 0, null, 1_000),
            new RunEvent.AttemptCompleted(1, attempt)));
    useCases.advanceRun().advance(run);
    useCases.projectRun().project(run);
  }

  private RunRequest request() {
    return new RunRequest(
        "echo",
        "say hello",
        ids.token(),
        Map.of(),
        List.of(),
        null,
        TIMEOUT_SECONDS,
        Map.of(),
        Map.of(),
        RetryPolicy.NEVER);
  }

  private void report(RunKey run, String attempt, List<RunEvent> events) {
    RunLog.Outcome outcome = runs.execute(run, new RunCommand.Report(attempt, events));
    if (!(outcome instanceof RunLog.Outcome.Done)) {
      throw new IllegalStateException("not appended: " + outcome);
    }
  }

  private List<RunEvent> output(int count) {
    List<RunEvent> output = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      for (int word = 0; word < WORDS; word++) {
        text.append("word").append(random.nextInt(WORD_MAX)).append(' ');
      }
      output.add(new RunEvent.ModelDelta(text.toString()));
    }
    return output;
  }
}
