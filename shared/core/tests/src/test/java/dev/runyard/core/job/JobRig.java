package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.StackTerms;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

/// Jobs in memory, whose runs end when a test says so.
final class JobRig {
  static final SubmitRun.By BY = new SubmitRun.By("acme", "key:k1");

  final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  final MemoryEventLog log = new MemoryEventLog();
  private final RandomIds ids = new RandomIds(new Random(7));
  final MemoryPorts memory = new MemoryPorts(log, clock);
  final UseCases cases;
  final JobCases jobs;

  JobRig() {
    this(Quotas.NONE, ports -> ports);
  }

  JobRig(Quotas quotas, UnaryOperator<Ports> faults) {
    this(StackTerms.of(quotas), faults);
  }

  /// @param places that items may have
  JobRig(ItemPlaces places) {
    this(StackTerms.of(Quotas.NONE).with(places), ports -> ports);
  }

  private JobRig(StackTerms terms, UnaryOperator<Ports> faults) {
    cases = new UseCases(faults.apply(memory), terms, clock, ids, "t");
    jobs = cases.jobs();
  }

  /// The use cases of another process.
  UseCases cases(Quotas quotas, UnaryOperator<Ports> faults) {
    return new UseCases(faults.apply(memory), StackTerms.of(quotas), clock, ids, "t");
  }

  JobRequestReader reader() {
    return jobs.reader(new RunRequestReader(AgentCatalog.builtIn()), (_, _) -> Optional.empty());
  }

  /// A body for a job of so many echo items.
  static ObjectNode body(int items) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("job_id", "j1");
    body.putObject("request").put("agent", "echo").putObject("tags").put("LEVEL", "1");
    addItems(body, 1, items);
    return body;
  }

  static void addItems(ObjectNode body, int from, int count) {
    var list = body.putArray("items");
    for (int i = 0; i < count; i++) {
      list.addObject().put("prompt", "say " + (from + i));
    }
  }

  JobKey created(ObjectNode body) {
    ManageJobs.Result result = jobs.manage().create(BY, reader(), body, Optional.empty());
    return done(result).facts().job();
  }

  /// A job that was started and whose first runs are there.
  JobKey started(ObjectNode body) {
    JobKey job = begun(body);
    settle(job);
    return job;
  }

  /// A job that was started, about which nothing was done yet.
  JobKey begun(ObjectNode body) {
    JobKey job = created(body);
    done(jobs.manage().start(BY, job.jobId(), Optional.empty()));
    return job;
  }

  static JobState.Existing done(ManageJobs.Result result) {
    return switch (result) {
      case ManageJobs.Result.Done done -> done.job();
      case ManageJobs.Result.Rejected rejected ->
          throw new AssertionError(rejected.problem().toString());
    };
  }

  static String code(ManageJobs.Result result) {
    return switch (result) {
      case ManageJobs.Result.Done done -> throw new AssertionError(done.job().toString());
      case ManageJobs.Result.Rejected rejected -> rejected.problem().code().code();
    };
  }

  /// The code of the error that a job ended with.
  String error(JobKey job) {
    return Objects.requireNonNull(((JobState.Closed) job(job)).error()).code();
  }

  void advance(JobKey job) {
    jobs.advanceJob().advance(job, List.of());
  }

  /// Advances the job as often as its own changes tell of it.
  void settle(JobKey job) {
    long before = -1;
    while (before < job(job).sequence()) {
      before = job(job).sequence();
      advance(job);
    }
  }

  JobState.Existing job(JobKey job) {
    return jobs.manage().find(job.tenant(), job.jobId()).orElseThrow();
  }

  String counts(JobKey job) {
    JobProgress items = job(job).facts().items();
    return "%s: %d pending, %d running, %d completed, %d failed, %d reported"
        .formatted(
            job(job).status().wire(),
            items.pending(),
            items.active().size(),
            items.completed(),
            items.failed().size(),
            items.reported().size());
  }

  RunKey run(JobKey job, int item) {
    JobProgress.Active active = Objects.requireNonNull(job(job).facts().items().active().get(item));
    return new RunKey(job.tenant(), active.runId());
  }

  /// Ends the run of an item, well or not, and does not tell the job.
  RunState.Closed ends(RunKey run, boolean well) {
    attempt(run, well);
    return (RunState.Closed) cases.advanceRun().advance(run);
  }

  /// Makes and ends an attempt of a run.
  void attempt(RunKey run, boolean well) {
    cases.runs().execute(run, new RunCommand.Claim("a-" + run.runId(), "r", "t", clock.instant()));
    String attempt = "a-" + run.runId();
    cases
        .runs()
        .execute(
            run,
            new RunCommand.Report(
                attempt,
                List.of(
                    new RunEvent.ProcessStarted("p", "echo"),
                    new RunEvent.ProcessCompleted("p", well ? 0 : 1, null, 5),
                    well
                        ? new RunEvent.AttemptCompleted(1, attempt)
                        : new RunEvent.AttemptFailed(
                            1, attempt, Failure.backend("agent_failed", "It failed.")))));
  }

  /// Ends the runs of all items that run, and tells the job once.
  void endAll(JobKey job, boolean well) {
    Collection<RunState.Closed> ended = new ArrayList<>();
    for (int item : List.copyOf(job(job).facts().items().active().keySet())) {
      ended.add(ends(run(job, item), well));
    }
    jobs.advanceJob().advance(job, ended);
    settle(job);
  }

  void sweep() {
    cases
        .sweepRuns(cases.scaleRunners(new FleetSize(0, 1, 1), _ -> {}), Lanes.one())
        .sweep(clock.instant().plusSeconds(55));
  }

  void pass(Duration time) {
    clock.advance(time);
  }

  List<StoredJobEvent> events(JobKey job) {
    List<StoredJobEvent> events = new ArrayList<>();
    EventCursor<StoredJobEvent> cursor = new EventCursor<>(log, JobCodec.JOBS, job, 0);
    for (List<StoredJobEvent> next = cursor.next(); !next.isEmpty(); next = cursor.next()) {
      events.addAll(next);
    }
    return events;
  }

  List<String> types(JobKey job) {
    return events(job).stream().map(StoredJobEvent::type).toList();
  }

  void assertCounts(String expected, JobKey job) {
    assertEquals(expected, counts(job));
  }
}
