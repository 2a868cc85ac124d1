package dev.runyard.functions.advance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.aws.Settings;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobProgress;
import dev.runyard.core.job.JobState;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.functions.StreamEvent;
import dev.runyard.functions.Twins;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// Steps of jobs that are taken aside.
final class JobStepsTest {
  private static final int CONCURRENCY = 2;
  private static final JobKey ONE = new JobKey("default", "one");
  private static final JobKey TWO = new JobKey("default", "two");

  private final Twins twins = new Twins();
  private final JobCases jobs = twins.useCases.jobs();
  private final Queue<Runnable> aside = new ArrayDeque<>();
  private final List<JobKey> failed = new ArrayList<>();
  private final JobSteps steps =
      new JobSteps(jobs.advanceJob(), aside::add, (job, _) -> failed.add(job));

  private void created(JobKey job) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("job_id", job.jobId());
    body.put("concurrency", CONCURRENCY).putObject("request").put("agent", "echo");
    ArrayNode items = body.putArray("items");
    for (int i = 0; i < 2 * CONCURRENCY; i++) {
      items.addObject().put("prompt", "say " + i);
    }
    var _ =
        jobs.manage()
            .create(
                Twins.BY,
                jobs.reader(twins.reader(), (_, _) -> Optional.empty()),
                body,
                Optional.empty());
    var _ = jobs.manage().start(Twins.BY, job.jobId(), Optional.empty());
  }

  private JobProgress items(JobKey job) {
    JobState.Existing state = jobs.manage().find(job.tenant(), job.jobId()).orElseThrow();
    return state.facts().items();
  }

  private List<RunKey> running(JobKey job) {
    return items(job).active().values().stream()
        .map(active -> new RunKey(job.tenant(), active.runId()))
        .toList();
  }

  /// A runner has the run and executes it.
  private void work(RunKey run) {
    var _ =
        twins.runs().execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", twins.clock.instant()));
    twins.report(run, new RunEvent.ProcessStarted("p-1", "echo"));
    end(run);
  }

  private void end(RunKey run) {
    twins.report(
        run,
        new RunEvent.ProcessCompleted("p-1", 0, null, 5),
        new RunEvent.AttemptCompleted(1, "a-1"));
  }

  private void takeSteps() {
    for (Runnable next = aside.poll(); next != null; next = aside.poll()) {
      next.run();
    }
  }

  private Handler handler() {
    return new Handler(
        twins.wiring(
            "advance",
            Map.of(
                Settings.RUNNERS_MIN,
                "0",
                Settings.RUNNERS_MAX,
                "10",
                Settings.RUNS_PER_RUNNER,
                "4"),
            Optional.of(aside::add)));
  }

  @Test
  void aRunEndsBeforeTheStepOfAJobThatWasToldBeforeIt() {
    Handler handler = handler();
    takeSteps();
    created(ONE);
    handler.handleRequest(StreamEvent.of(ONE.partition()), null);
    RunKey other = twins.running();
    end(other);

    handler.handleRequest(StreamEvent.of(other.partition()), null);

    assertInstanceOf(RunState.Completed.class, twins.runs().load(other));
    assertEquals(List.of(), running(ONE));
    takeSteps();
    assertEquals(CONCURRENCY, running(ONE).size());
  }

  @Test
  void endsItemsAndStartsTheNextOnes() {
    Handler handler = handler();
    created(ONE);
    handler.handleRequest(StreamEvent.of(ONE.partition()), null);
    takeSteps();
    for (RunKey run : running(ONE)) {
      work(run);
    }

    running(ONE).forEach(run -> handler.handleRequest(StreamEvent.of(run.partition()), null));
    assertEquals(0, items(ONE).completed());
    takeSteps();

    assertEquals(CONCURRENCY, items(ONE).completed());
    assertEquals(CONCURRENCY, running(ONE).size());
  }

  @Test
  void jobsTakeTurnsAndWhatOneIsToldMeanwhileIsOneStep() {
    created(ONE);
    created(TWO);
    steps.tell(Map.of(ONE, List.of()));
    steps.tell(Map.of(TWO, List.of()));
    steps.tell(Map.of(ONE, List.of()));

    assertEquals(1, aside.size());
    takeSteps();

    assertEquals(CONCURRENCY, running(ONE).size());
    assertEquals(CONCURRENCY, running(TWO).size());
    steps.tell(Map.of(ONE, List.of()));
    assertEquals(1, aside.size());
  }

  @Test
  void leavesAJobToSweepOnlyWhenTheStoreDoesNotComeBack() {
    created(ONE);
    twins.log.begin(new PortUnavailable("planted"));
    steps.tell(Map.of(ONE, List.of()));
    takeSteps();

    assertEquals(List.of(ONE), failed);
    twins.log.end();
    steps.tell(Map.of(ONE, List.of()));
    takeSteps();
    assertEquals(List.of(ONE), failed);
    assertEquals(CONCURRENCY, running(ONE).size());
  }

  /// Those whose steps were lost with a process.
  @Test
  void looksAtJobsThatAnEarlierProcessBegan() {
    created(ONE);
    jobs.advanceJob().advance(ONE, List.of());
    jobs.projectJob().project(ONE);
    List<RunKey> ended = running(ONE);
    ended.forEach(
        run -> {
          work(run);
          var _ = twins.advance().advance(run);
        });
    twins.clock.advance(Duration.ofSeconds(1));

    var _ = handler();
    takeSteps();

    assertEquals(CONCURRENCY, items(ONE).completed());
    assertEquals(CONCURRENCY, running(ONE).size());
  }
}
