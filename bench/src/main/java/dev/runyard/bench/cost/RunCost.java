package dev.runyard.bench.cost;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Turns one run's counted requests into dollars per million runs. Counted are requests, units and
/// invocations; assumed are the times below, which no local stack can tell.
public final class RunCost {
  /// One call of DynamoDB or SQS from a function: what published measurements of a put come to.
  public static final double CALL_MILLIS = 8;

  /// A function's own work, generously.
  public static final double OWN_MILLIS = 3;

  /// Memory of the functions the template declares.
  public static final double FUNCTION_GB = 1;

  /// Lines of the platform and of the function about one invocation.
  public static final double LOG_BYTES = 1000;

  /// What DynamoDB adds to each stored item.
  public static final double ITEM_BYTES = 100;

  private static final double MILLION = 1e6;
  private static final double GB = 1e9;

  /// The functions that API Gateway calls.
  private static final Set<String> BEHIND_THE_GATEWAY = Set.of("api", "manage", "stream");

  private RunCost() {}

  /// What one service takes.
  ///
  /// @param name of the service
  /// @param dollars per million runs
  public record Line(String name, double dollars, String note) {}

  /// What each service takes.
  ///
  /// @param perRun counts of one run, by caller; the sweep's are not among them
  public static List<Line> lines(Map<String, Counts> perRun) {
    List<Line> lines = new ArrayList<>();
    Counts all = perRun.values().stream().reduce(Counts.NONE, Counts::plus);
    lines.add(
        new Line(
            "DynamoDB writes", all.writeUnits() * AwsPrices.WRITE_UNIT_PRICE * MILLION, "counted"));
    lines.add(
        new Line(
            "DynamoDB reads", all.readUnits() * AwsPrices.READ_UNIT_PRICE * MILLION, "counted"));
    lines.add(
        new Line(
            "SQS requests", all.queueRequests() * AwsPrices.QUEUE_REQUEST * MILLION, "counted"));
    Counts functions =
        perRun.entrySet().stream()
            .filter(entry -> !entry.getKey().equals(CallCounter.RUNNER))
            .map(Map.Entry::getValue)
            .reduce(Counts.NONE, Counts::plus);
    lines.add(
        new Line(
            "Lambda requests",
            functions.invocations() * AwsPrices.FUNCTION_REQUEST * MILLION,
            "counted"));
    lines.add(
        new Line(
            "Lambda time",
            seconds(functions) * FUNCTION_GB * AwsPrices.FUNCTION_GB_SECOND * MILLION,
            "%.0f ms a call and %.0f ms an invocation assumed".formatted(CALL_MILLIS, OWN_MILLIS)));
    double calls =
        perRun.entrySet().stream()
            .filter(entry -> BEHIND_THE_GATEWAY.contains(entry.getKey()))
            .mapToDouble(entry -> entry.getValue().invocations())
            .sum();
    lines.add(new Line("API Gateway", calls * AwsPrices.API_REQUEST * MILLION, "counted"));
    lines.add(
        new Line(
            "logs",
            functions.invocations() * LOG_BYTES / GB * AwsPrices.LOG_GB * MILLION,
            "%.0f B an invocation assumed".formatted(LOG_BYTES)));
    double puts = all.requests().getOrDefault("PutItem", 0.0);
    lines.add(
        new Line(
            "storage, a month",
            (all.storedBytes() + puts * ITEM_BYTES) / GB * AwsPrices.TABLE_GB_MONTH * MILLION,
            "size counted"));
    return lines;
  }

  /// What a bus takes that is told of each run.
  ///
  /// @param events of one run, each smaller than [AwsPrices#BUS_EVENT] is for
  public static Line bus(double events) {
    return new Line("EventBridge", events * AwsPrices.BUS_EVENT * MILLION, "counted");
  }

  /// Dollars of runners for a million runs.
  ///
  /// @param seconds one run's length
  /// @param runs of one runner side by side
  public static double runners(double seconds, double vcpu, double gigabytes, int runs) {
    double hourly = vcpu * AwsPrices.FARGATE_VCPU_HOUR + gigabytes * AwsPrices.FARGATE_GB_HOUR;
    return seconds / 3600 * hourly / runs * MILLION;
  }

  private static double seconds(Counts functions) {
    return (functions.requestsInAll() * CALL_MILLIS + functions.invocations() * OWN_MILLIS) / 1e3;
  }
}
