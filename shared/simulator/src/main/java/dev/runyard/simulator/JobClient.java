package dev.runyard.simulator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.job.JobRequestReader;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.JobStatus;
import dev.runyard.core.job.ManageJobs;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.submit.RunRequestReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;

/// A client that has one job: it creates and starts it, each again until it is answered, and looks
/// until it has ended. It runs failed items again or reports them, and at times cancels the job.
final class JobClient implements Actor {
  private static final String JOB = "job";
  private static final Optional<String> KEY = Optional.of("start");
  private static final int FUNCTION_SECONDS = 15;
  private static final int ITEMS_MAX = 5;
  private static final int ATTEMPTS_MAX = 2;
  private static final int LOOKS_MAX = 400;

  private final SimulatedCaller caller = new SimulatedCaller(Role.API, FUNCTION_SECONDS);
  private final SimulatedSystem system;
  private final ManageJobs jobs;
  private final JobRequestReader reader;
  private final Promises promises;
  private final Random random;
  private final ObjectNode body;
  private final boolean cancels;
  private Instant next;
  private Instant lookedAt = Instant.MIN;
  private Step step = Step.CREATE;
  private long seen;
  private int looks;

  private enum Step {
    CREATE,
    START,
    LOOK,
    DONE
  }

  JobClient(SimulatedSystem system, Promises promises, Random random) {
    UseCases api = system.useCases(system.ports(caller), system.skewed(), "api");
    JobCases cases = api.jobs();
    this.system = system;
    this.jobs = cases.manage();
    this.reader =
        cases.reader(new RunRequestReader(ScriptedAgents.CATALOG), (_, _) -> Optional.empty());
    this.promises = promises;
    this.random = random;
    this.body = body(random);
    this.cancels = random.nextInt(2) == 0;
    promises.concurrency.put(JOB, body.path("concurrency").intValue());
    this.next = system.now();
  }

  private static ObjectNode body(Random random) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("job_id", JOB).put("concurrency", 1 + random.nextInt(3));
    body.put("on_failed", random.nextInt(3) == 0 ? "finish" : "hold");
    if (random.nextBoolean()) {
      body.put("session_id", "session-of-job");
    }
    ObjectNode request = body.putObject("request").put("agent", "echo");
    request.put("timeout_seconds", 20 + random.nextInt(60));
    ArrayNode items = body.putArray("items");
    for (int i = random.nextInt(ITEMS_MAX); i >= 0; i--) {
      ObjectNode item = items.addObject().put("prompt", "item " + i);
      AgentMode[] modes = AgentMode.values();
      var mode = modes[random.nextInt(modes.length)].tag();
      ObjectNode tags = item.putObject("tags").put(mode.getKey(), mode.getValue());
      if (random.nextInt(4) == 0) {
        tags.put(ScriptedAgents.FAILS, "always");
      }
    }
    return body;
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    return step == Step.DONE ? Instant.MAX : hurries() ? system.now() : next;
  }

  /// One that cancels also looks while a call of whoever starts items lasts: what that was to start
  /// must not start any more.
  private boolean hurries() {
    return cancels
        && step == Step.LOOK
        && !system.now().equals(lookedAt)
        && system.timeline().underWay(Role.ADVANCE);
  }

  @Override
  public void act() {
    boolean hurried = hurries();
    lookedAt = system.now();
    int dice = random.nextInt(100);
    next =
        system
            .now()
            .plus(
                Duration.ofMillis(
                    1L + random.nextInt(step == Step.LOOK && dice < 90 ? 15_000 : 800)));
    try {
      step =
          switch (step) {
            case CREATE ->
                done(jobs.create(ClientActor.BY, reader, body, Optional.empty()))
                    ? Step.START
                    : Step.CREATE;
            case START -> done(jobs.start(ClientActor.BY, JOB, KEY)) ? Step.LOOK : Step.START;
            case LOOK -> look(hurried) ? Step.DONE : Step.LOOK;
            case DONE -> Step.DONE;
          };
    } catch (PortUnavailable _) {
      system.alarms().raise(Alarms.Alarm.SERVER_ERRORS);
    }
  }

  private boolean done(ManageJobs.Result result) {
    return switch (result) {
      case ManageJobs.Result.Done(JobState.Existing job, boolean _) -> saw(job);
      case ManageJobs.Result.Rejected(Problem problem) -> {
        promises.violations.add(new Violation("J1", "a repeat was refused: " + problem));
        yield true;
      }
    };
  }

  private boolean saw(JobState.Existing job) {
    if (job.sequence() < seen) {
      promises.violations.add(
          new Violation("I5", "read %d of a job after %d".formatted(job.sequence(), seen)));
    }
    seen = job.sequence();
    return true;
  }

  /// True when the job has ended.
  private boolean look(boolean hurried) {
    JobState.Existing job = jobs.find(ClientActor.TENANT, JOB).orElseThrow();
    saw(job);
    looks++;
    if (job.closed() || looks > LOOKS_MAX) {
      return true;
    }
    boolean moves = !job.facts().items().active().isEmpty() && job.facts().items().pending() > 0;
    if (cancels && random.nextInt(hurried && moves ? 2 : 8) == 0) {
      var _ = jobs.cancel(ClientActor.BY, JOB, "enough", Optional.empty());
    } else if (job.status() == JobStatus.BLOCKED || random.nextInt(4) == 0) {
      mend(job);
    }
    return false;
  }

  /// Runs the first failed item again, or reports it.
  private void mend(JobState.Existing job) {
    int item = job.facts().items().failed().from(1);
    if (item < 0) {
      return;
    }
    Optional<String> key = Optional.of("mend-" + item + "-" + job.facts().items().attempts(item));
    var _ =
        job.facts().items().attempts(item) < ATTEMPTS_MAX && random.nextBoolean()
            ? jobs.retry(ClientActor.BY, JOB, item, key)
            : jobs.report(ClientActor.BY, JOB, item, "known", key);
  }

  @Override
  public void crashed() {}
}
