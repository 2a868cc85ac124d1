package dev.runyard.core.fleet;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.util.Arrays;
import java.util.Locale;

/// A runner that did not start.
///
/// @param detail what the service said, for the operator's log; callers see only the cause
public record StartFailure(Cause cause, String detail) {

  /// The reason, as far as a caller or operator can do something about it.
  public enum Cause {
    NO_CAPACITY(
        "There is no capacity for a runner at the moment.",
        "It is tried again each minute; where it stays so, choose other subnets or another"
            + " RunnerCapacity."),
    QUOTA(
        "The account's quota of running tasks is used up.",
        "Raise the quota for Fargate in this region, or lower RunnersMax."),
    THROTTLED("Starts of runners are throttled.", "It is tried again each minute."),
    NO_IMAGE(
        "The runner's image cannot be pulled.",
        "Push an image to the stack's repository, or look at RunnerImage.",
        Limits.BROKEN_SECONDS_MAX),
    PULL_FAILED(
        "The registry of the runner's image did not answer.",
        "It is tried again each minute; where it stays so, look whether the runners' subnets reach"
            + " the registry."),
    OUTDATED_RUNNER(
        "The runner's image is of an older release than the functions.",
        "Push the image of the functions' release, or name it as RunnerImage.",
        Limits.BROKEN_SECONDS_MAX),
    NO_ADDRESS("The runners' subnets have no free address.", "Give larger ones as SubnetIds."),
    NO_NETWORK(
        "A runner could not get what it needs to start.",
        "Look whether its subnets reach the internet and whether the secrets with the agents' keys"
            + " exist."),
    REFUSED(
        "The request to start a runner was refused.",
        "Look at the log of the functions advance and sweep."),
    NO_ANSWER("The service that starts runners did not answer.", "It is tried again each minute."),
    NO_ISOLATION(
        "A runner cannot keep attempts apart as the parameter Isolation requires.",
        "Its log says what is missing; change that, or choose another level.",
        Limits.BROKEN_SECONDS_MAX),
    STOPPED("A runner stopped before it was ready.", "Look at its log."),
    NOT_READY("A runner was started and was not ready in time.", "Look at its log.");

    private final String what;
    private final String advice;
    private final int secondsMax;

    Cause(String what, String advice) {
      this(what, advice, Limits.BLOCKED_SECONDS_MAX);
    }

    Cause(String what, String advice, int secondsMax) {
      this.what = what;
      this.advice = advice;
      this.secondsMax = secondsMax;
    }

    /// How long a run waits for that to change: not long where no start can succeed before the
    /// operator acts.
    public int secondsMax() {
      return secondsMax;
    }

    /// True where no start can succeed before the operator acts.
    boolean broken() {
      return secondsMax == Limits.BROKEN_SECONDS_MAX;
    }

    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// The cause of this name; a general one for a name that only a newer release knows.
    public static Cause of(String wire) {
      return Arrays.stream(values())
          .filter(cause -> cause.wire().equals(wire))
          .findFirst()
          .orElse(STOPPED);
    }

    /// The failure that is recorded in waiting runs.
    public Failure failure() {
      return new Failure(Failure.RUNNER_START_FAILED, Category.CAPACITY, what + " " + advice);
    }
  }
}
