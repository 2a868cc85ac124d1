package dev.runyard.bench.cost;

import dev.runyard.core.projection.ReadModels;
import java.util.Map;

/// What `sweep` takes: a part for the runs it looks after, and a part every minute whether there
/// are runs or not.
final class SweepCost {
  private static final double MINUTES_A_MONTH = 30 * 24 * 60;
  private static final double STALE_READ_UNITS = 0.5;

  /// One call that finds nothing: each queue asked once, the backlog, each shard of what is due.
  static final Counts IDLE_CALL =
      new Counts(
          1,
          Map.of(
              "ReceiveMessage",
              2.0,
              "GetQueueAttributes",
              1.0,
              "Query",
              (double) ReadModels.DUE_SHARDS),
          ReadModels.DUE_SHARDS * STALE_READ_UNITS,
          0,
          0);

  private SweepCost() {}

  /// What was asked for the sake of runs.
  static Counts ofRuns(Counts counted) {
    return counted.minus(IDLE_CALL.dividedBy(1 / counted.invocations()));
  }

  /// Dollars a stack without runs takes a month: its sweep and its alarms.
  static double idleMonth(int alarms) {
    double calls =
        RunCost.lines(Map.of("sweep", IDLE_CALL)).stream().mapToDouble(RunCost.Line::dollars).sum();
    return calls / 1e6 * MINUTES_A_MONTH + alarms * AwsPrices.ALARM_MONTH;
  }
}
