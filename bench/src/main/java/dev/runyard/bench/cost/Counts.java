package dev.runyard.bench.cost;

import java.util.Map;
import java.util.TreeMap;

/// What one caller asked of AWS.
///
/// @param invocations threads it called from; a function has a thread per invocation
/// @param requests HTTP requests by operation
/// @param readUnits of DynamoDB, as it reported them
/// @param writeUnits of DynamoDB: as it reported them, and for puts it refused, whose units it does
///   not report, those of their size
/// @param storedBytes size of the items put into the log
public record Counts(
    double invocations,
    Map<String, Double> requests,
    double readUnits,
    double writeUnits,
    double storedBytes) {

  public static final Counts NONE = new Counts(0, Map.of(), 0, 0, 0);

  public Counts {
    requests = Map.copyOf(requests);
  }

  public Counts plus(Counts more) {
    Map<String, Double> all = new TreeMap<>(requests);
    more.requests.forEach((name, count) -> all.merge(name, count, Double::sum));
    return new Counts(
        invocations + more.invocations,
        all,
        readUnits + more.readUnits,
        writeUnits + more.writeUnits,
        storedBytes + more.storedBytes);
  }

  /// What is left of it without `less`.
  public Counts minus(Counts less) {
    return plus(less.dividedBy(-1));
  }

  /// A share of it, such as one run's.
  public Counts dividedBy(double parts) {
    Map<String, Double> shares = new TreeMap<>(requests);
    shares.replaceAll((_, count) -> count / parts);
    return new Counts(
        invocations / parts, shares, readUnits / parts, writeUnits / parts, storedBytes / parts);
  }

  double requestsInAll() {
    return requests.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /// Requests whose operation is one of SQS's.
  double queueRequests() {
    return requests.entrySet().stream()
        .filter(entry -> entry.getKey().contains("Message") || entry.getKey().contains("Queue"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }
}
