package dev.runyard.runner.process;

import java.util.regex.Pattern;

/// The mark by which every process of one attempt can be found.
///
/// It is in the environment of the agent and so of everything the agent starts, which lets a runner
/// find processes that left their process group, and processes of a dead runner. Both ids are 1 to
/// 64 letters, digits, `_` or `-`.
public record RunMark(String runId, String attemptId) {

  /// The environment variable that carries the mark.
  public static final String VARIABLE = "RUNYARD_RUN";

  /// The environment variable that names the stack whose process the runner shares. Whoever
  /// outlives that process finds what its runners started by it.
  public static final String STACK_VARIABLE = "RUNYARD_STACK";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  public RunMark {
    if (!ID.matcher(runId).matches() || !ID.matcher(attemptId).matches()) {
      throw new IllegalArgumentException("not usable as a mark: " + runId + ", " + attemptId);
    }
  }

  /// `<runId>.<attemptId>`, the value of the variable.
  public String value() {
    return runId + "." + attemptId;
  }
}
