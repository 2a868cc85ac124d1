package dev.runyard.bench.scale;

/// How the stack is set up: parameters of the template, and what the account lets it have.
///
/// @param runners `RunnersMax`
/// @param runsPerRunner `RunsPerRunner`
/// @param requestsPerSecond `RequestsPerSecondMax`
/// @param functionCalls calls of functions the account runs at once
public record Plan(int runners, int runsPerRunner, int requestsPerSecond, int functionCalls) {
  /// What the template lets an account have that was not asked to raise anything.
  public static final Plan LARGEST = new Plan(1000, 32, 500, 1000);
}
