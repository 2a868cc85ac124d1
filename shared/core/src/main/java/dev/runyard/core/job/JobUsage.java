package dev.runyard.core.job;

/// What runs that have ended used.
///
/// @param microdollars what their calls of models cost, in millionths of a dollar
public record JobUsage(long tokens, long microdollars) {
  public static final JobUsage NONE = new JobUsage(0, 0);

  JobUsage plus(JobUsage more) {
    return new JobUsage(tokens + more.tokens, microdollars + more.microdollars);
  }

  public double costUsd() {
    return microdollars / JobTerms.MICRODOLLARS;
  }
}
