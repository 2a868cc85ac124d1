package dev.runyard.bench.scale;

import dev.runyard.bench.cost.RunCost;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.functions.Threads;
import java.util.List;

/// How much of each limit a day of runs uses at its busiest. Rates are those of the busiest minute;
/// a call takes what `bench/run cost` assumes.
public final class ScaleModel {
  /// DynamoDB: a partition's units a second, and a table's of an account that asked for no more.
  static final double PARTITION_WRITES = 1000;

  static final double PARTITION_READS = 3000;
  static final double TABLE_UNITS = 40_000;

  /// SQS: messages of one queue that are with receivers.
  static final double IN_FLIGHT = 120_000;

  /// Addresses of each of the network's two subnets.
  static final double ZONE_ADDRESSES = 2048 - 5;

  /// Shards of the events table's stream: a new table on demand has four partitions.
  static final double SHARDS_MIN = 4;

  /// Calls of `advance` side by side for one shard, and as many of `project`:
  /// `ParallelizationFactor` of each.
  public static final double SHARD_PARALLEL = 10;

  /// What a sweep of `sweep` has for its visits, of a minute.
  static final double CLOCK_SECONDS = 35;

  /// Requests of `sweep` for a tenant that may have free places: who is next, its oldest held run,
  /// that run's snapshot and tail, and a place.
  static final double TENANT_REQUESTS = 5;

  /// ECS: calls a second that describe tasks, and tasks in one of them.
  static final double LOOKS = 20;

  static final double LOOK_TASKS = 100;

  /// Bytes of a held slot, most of them the ARN of its task, and of a unit of a read that is
  /// strongly consistent.
  static final double SLOT_BYTES = 250;

  static final double READ_UNIT_BYTES = 4096;

  private final double runs;
  private final RunProfile run;
  private final Plan plan;

  /// @param runs in a day
  public ScaleModel(double runs, RunProfile run, Plan plan) {
    this.runs = runs;
    this.run = run;
    this.plan = plan;
  }

  /// What is used of one limit.
  ///
  /// @param knob what raises the limit
  public record Use(String name, double used, double limit, String unit, String knob) {
    public double percent() {
      return 100 * used / limit;
    }

    /// Of how much how much.
    public String amounts() {
      return "%,.1f of %,.0f %s".formatted(used, limit, unit);
    }
  }

  public List<Use> uses() {
    Day.Queue queue = Day.queue(runs, run.minutes(), slots());
    double rate = busiest();
    double open = rate * 60 * run.minutes();
    double viewers = open * run.viewers();
    double saves = rate * run.saves();
    return List.of(
        use(
            "runner tasks",
            open / plan.runsPerRunner(),
            plan.runners(),
            "tasks",
            "RunnersMax, RunsPerRunner"),
        use("addresses of one zone", tasks(queue), ZONE_ADDRESSES, "addresses", "SubnetIds"),
        use(
            "longest wait for a runner",
            queue.waitMinutes(),
            Limits.QUEUED_SECONDS_MAX / 60.0,
            "min",
            "RunnersMax, RunsPerRunner"),
        use(
            "messages in flight",
            Math.min(open, queue.busiest()),
            IN_FLIGHT,
            "messages",
            "a quota of SQS"),
        use(
            "requests at the gateway",
            rate * RunProfile.API_CALLS,
            plan.requestsPerSecond(),
            "1/s",
            "RequestsPerSecondMax"),
        use(
            "calls of functions at once",
            calls(rate) + viewers,
            plan.functionCalls(),
            "calls",
            "a quota of Lambda; StreamsMax, ApiReserved"),
        use(
            "advance",
            rate / shards(rate),
            ofAShard(RunProfile.DRIVE_REQUESTS),
            "runs/s of a shard",
            "ParallelizationFactor"),
        use(
            "project",
            rate / shards(rate),
            ofAShard(RunProfile.PROJECT_REQUESTS),
            "runs/s of a shard",
            "ParallelizationFactor"),
        use(
            "sweep",
            open * 60 / Limits.SILENT_SECONDS,
            visits(),
            "visits of a sweep",
            "ReadModels.DUE_SHARDS"),
        use(
            "looks of sweep at tasks",
            Math.ceil(tasks(queue) / LOOK_TASKS) / 60,
            LOOKS,
            "1/s",
            "RunsPerRunner; a quota of ECS"),
        use(
            "reads of the slots' partition",
            rate * RunProfile.SCALINGS * Math.ceil(tasks(queue) * SLOT_BYTES / READ_UNIT_BYTES),
            PARTITION_READS,
            "units/s",
            "RunsPerRunner"),
        use(
            "writes of a list's partition",
            saves * RunProfile.LIST_UNITS / ReadModels.LIST_SHARDS,
            PARTITION_WRITES,
            "units/s",
            "ReadModels.LIST_SHARDS"),
        use(
            "writes of a due partition",
            saves * RunProfile.DUE_UNITS / ReadModels.DUE_SHARDS,
            PARTITION_WRITES,
            "units/s",
            "ReadModels.DUE_SHARDS"),
        use(
            "writes of the events table",
            rate * run.writeUnits(),
            TABLE_UNITS,
            "units/s",
            "a quota of DynamoDB"),
        use(
            "reads of the events table",
            rate * run.readUnits(),
            TABLE_UNITS,
            "units/s",
            "a quota of DynamoDB"));
  }

  /// Viewers of one run whose own processes read its partition, while its events flow and while it
  /// is quiet.
  public static double viewersOfARun(double tailMillis, double parts) {
    double readsPerSecond = 1000 / (tailMillis / parts + RunCost.CALL_MILLIS);
    return PARTITION_READS / (readsPerSecond * 0.5);
  }

  /// Runs a second in the busiest minute.
  double busiest() {
    return Day.arrivals(runs, Day.MINUTES / 2) / 60;
  }

  private double slots() {
    return (double) plan.runners() * plan.runsPerRunner();
  }

  private double tasks(Day.Queue queue) {
    return Math.ceil(queue.busiest() / plan.runsPerRunner());
  }

  /// Calls of api, advance and project at once, and the one of sweep.
  private static double calls(double rate) {
    double requests =
        RunProfile.API_REQUESTS + RunProfile.DRIVE_REQUESTS + RunProfile.PROJECT_REQUESTS;
    double calls = RunProfile.API_CALLS + RunProfile.DRIVE_CALLS + RunProfile.PROJECT_CALLS;
    return rate * (requestSeconds(requests) + calls * RunCost.OWN_MILLIS / 1e3) + 1;
  }

  private double shards(double rate) {
    return Math.max(SHARDS_MIN, Math.ceil(rate * run.writeUnits() / PARTITION_WRITES));
  }

  /// Runs a second that `advance` or `project` takes of one shard, if it makes that many requests
  /// for each: a call handles as many runs of its batch side by side as it has lanes.
  private static double ofAShard(double requests) {
    return SHARD_PARALLEL * Threads.LANES_MAX / requestSeconds(requests);
  }

  /// Runs `sweep` looks at in a minute, a lane for each shard.
  private static double visits() {
    return ReadModels.DUE_SHARDS / requestSeconds(RunProfile.CLOCK_REQUESTS) * CLOCK_SECONDS;
  }

  /// Tenants `sweep` looks after in a minute, in one lane: of those that have runs that are held.
  static double tenants() {
    return CLOCK_SECONDS / requestSeconds(TENANT_REQUESTS);
  }

  private static double requestSeconds(double requests) {
    return requests * RunCost.CALL_MILLIS / 1e3;
  }

  private static Use use(String name, double used, double limit, String unit, String knob) {
    return new Use(name, used, limit, unit, knob);
  }
}
