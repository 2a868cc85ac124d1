package dev.runyard.simulator;

import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// Asks whether a run was tried as often as its retry policy says, and with its pauses: it counts
/// the attempts itself. An attempt that another continues, and one that was handed back before its
/// agent had started, is no try.
final class RetryOracle {
  /// What another try would only run into again.
  private static final Set<String> FINAL =
      Set.of(
          Failure.TIMED_OUT,
          Failure.AWAIT_TIMED_OUT,
          Failure.MAX_TURNS_REACHED,
          Failure.MAX_TOKENS_REACHED,
          Failure.MAX_COST_REACHED);

  private final RetryPolicy policy;
  private int tries;
  private int pending;
  private boolean begun;
  private boolean exited;
  private boolean continues;
  private boolean handedBack;
  private String failure = "";
  private boolean retries;

  private RetryOracle(RetryPolicy policy) {
    this.policy = policy;
  }

  /// What is wrong with the tries of a run; empty when nothing is.
  static List<String> check(List<StoredEvent> events, RunState.Existing end) {
    RetryOracle oracle = new RetryOracle(end.facts().request().retry());
    List<String> wrong =
        events.stream()
            .map(stored -> oracle.saw(stored.event()))
            .filter(text -> !text.isEmpty())
            .toList();
    if (wrong.isEmpty() && end instanceof RunState.Failed failed) {
      return oracle.endedEarly(failed);
    }
    return wrong;
  }

  private String saw(RunEvent event) {
    switch (event) {
      case RunEvent.AttemptStarted started -> {
        begun = false;
        exited = false;
        failure = "";
        continues = started.continuation();
        tries += continues ? 0 : 1;
      }
      case RunEvent.ProcessStarted _ -> begun = true;
      case RunEvent.ProcessCompleted _, RunEvent.ProcessFailed _ -> exited = true;
      case ActionRequired _ -> pending++;
      case RunEvent.ActionResolved _ -> pending--;
      case RunEvent.AttemptFailed failed -> failed(failed.error().code());
      case RunEvent.TaskRetrying _ -> {
        retries = true;
        return handedBack || (policy.allows(tries, failure) && !FINAL.contains(failure))
            ? ""
            : "is tried again after %s and %d of %d tries"
                .formatted(failure, tries, policy.maxAttempts());
      }
      case RunEvent.TaskQueued queued when retries -> {
        retries = false;
        int pause = handedBack ? 0 : pause();
        return queued.delaySeconds() == pause
            ? ""
            : "waits %d s, not %d, after %d tries".formatted(queued.delaySeconds(), pause, tries);
      }
      case RunEvent.StateChange _,
          RunEvent.Output _,
          RunEvent.Interaction _,
          RunEvent.Notice _ -> {}
    }
    return "";
  }

  private int pause() {
    long doubled = (long) (policy.backoffSeconds() * Math.pow(2, tries - 1.0));
    return (int) Math.min(doubled, RetryPolicy.BACKOFF_SECONDS_MAX);
  }

  private void failed(String code) {
    failure = code;
    boolean stopped = code.equals(Failure.RUNNER_STOPPED) && !exited;
    handedBack = stopped || (code.equals(Failure.RUNNER_LOST) && !begun);
    if (stopped && !continues && pending == 0) {
      tries--;
    }
  }

  /// True when there was time for another try, by all clocks.
  private List<String> endedEarly(RunState.Failed end) {
    Instant deadline = end.facts().deadline();
    boolean time = deadline == null || end.finishedAt().isBefore(deadline);
    boolean own = end.error().code().equals(failure) && !FINAL.contains(failure);
    boolean allowed = handedBack ? tries < RetryPolicy.ATTEMPTS_MAX : policy.allows(tries, failure);
    return time && own && allowed
        ? List.of("%s after %d of %d tries".formatted(failure, tries, policy.maxAttempts()))
        : List.of();
  }
}
