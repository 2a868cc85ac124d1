package dev.runyard.functions;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.clock.ClockSweep;
import dev.runyard.core.drive.DriveRun;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.project.ProjectRun;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.view.ReadModels;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/// Puts the functions together: from the environment to use cases. The only place that reads the
/// environment and makes clients; each function makes only what it asks for.
public final class Wiring {
  /// The tenant every run belongs to.
  public static final String TENANT = "default";

  private final InstantSource clock = InstantSource.system();
  private final Ids ids = new RandomIds(new SecureRandom());
  private final AgentCatalog catalog = AgentCatalog.builtIn();
  private final Map<String, String> env;

  public Wiring(Map<String, String> env) {
    this.env = Map.copyOf(env);
  }

  public InstantSource clock() {
    return clock;
  }

  public Ids ids() {
    return ids;
  }

  public AgentCatalog catalog() {
    return catalog;
  }

  public EventLog eventLog() {
    return missing();
  }

  public ReadModels readModels() {
    return missing();
  }

  public IdempotencyStore keys() {
    return missing();
  }

  public RunnerFleet fleet() {
    return missing();
  }

  public RunQueue queue(String key) {
    return missing();
  }

  public Optional<RunQueue> parked() {
    return env.containsKey("RUNYARD_PARKED_QUEUE_URL")
        ? Optional.of(queue("RUNYARD_PARKED_QUEUE_URL"))
        : Optional.empty();
  }

  public long tailMillis() {
    return Long.parseLong(env.getOrDefault("RUNYARD_TAIL_MILLIS", "1000"));
  }

  /// Runs read from their snapshots on.
  public RunLog runs() {
    ReadModels models = readModels();
    return runs(run -> models.snapshot(run).map(RunState.class::cast).orElseGet(RunState::absent));
  }

  public RunRequestReader requestReader() {
    AgentSettings.parse(env.getOrDefault("RUNYARD_AGENTS", "{}"), catalog);
    return new RunRequestReader(catalog, clock, ids);
  }

  public SubmitRun submitRun() {
    return new SubmitRun(runs(), eventLog(), queue("RUNYARD_RUN_QUEUE_URL"), keys(), clock, ids);
  }

  public CancelRun cancelRun() {
    return new CancelRun(runs());
  }

  public ProjectRun projectRun() {
    return new ProjectRun(runs(), readModels());
  }

  /// The driver decides from the log alone: when it is called, a snapshot is seldom ahead of what
  /// it has to read.
  public DriveRun driveRun() {
    return new DriveRun(runs(Snapshots.none()), queue("RUNYARD_RUN_QUEUE_URL"), clock);
  }

  public ScaleRunners scaleRunners() {
    return new ScaleRunners(
        queue("RUNYARD_RUN_QUEUE_URL"),
        fleet(),
        Integer.parseInt(env.getOrDefault("RUNYARD_RUNNERS_MAX", "10")),
        Integer.parseInt(env.getOrDefault("RUNYARD_RUNS_PER_RUNNER", "4")));
  }

  public ClockSweep clockSweep() {
    return new ClockSweep(
        readModels(),
        driveRun(),
        projectRun(),
        queue("RUNYARD_DEAD_QUEUE_URL"),
        queue("RUNYARD_PARKED_QUEUE_URL"),
        scaleRunners(),
        clock);
  }

  @SuppressWarnings("TypeParameterUnusedInFormals")
  private <T> T missing() {
    if (env.isEmpty()) {
      throw new IllegalStateException();
    }
    throw new UnsupportedOperationException();
  }

  private RunLog runs(Snapshots snapshots) {
    return new RunLog(eventLog(), snapshots, RunDecider.rules(), clock, ids, "api");
  }
}
