package dev.runyard.core.attempt;

/// What the attempts of one runner do together, so that one call serves all of them. There is no
/// thread for it: whichever attempt is due first makes the call.
public record RunnerShare(SharedLook look, SharedLeases leases) {
  /// The share of a runner that has no attempts yet.
  public static RunnerShare of(String runner, AttemptTiming timing) {
    return new RunnerShare(
        new SharedLook(runner, timing.look(), timing.quietLook()),
        new SharedLeases((int) timing.lease().toSeconds()));
  }

  /// How many runs the runner works on whose messages the queue no longer has, and so does not
  /// count.
  public int unqueued() {
    return leases.lost();
  }

  /// How many runs the runner works on whose messages it holds, so that the queue counts them.
  public int queued() {
    return leases.held();
  }
}
