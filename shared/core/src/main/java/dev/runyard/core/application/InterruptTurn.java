package dev.runyard.core.application;

import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.inbox.SendMessage;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.submit.RunningTurn;
import java.util.Optional;

/// What a new turn does to the one that its thread has, by the means that clients have too.
record InterruptTurn(SendMessage send, CancelRun cancel) implements RunningTurn {
  private static final String REASON = "interrupted by another turn";

  @Override
  public Optional<Problem> tell(RunKey run, String content, String key, Requester by) {
    return send.send(run, content, Optional.of(key), by)
            instanceof SendMessage.Result.Rejected(Problem problem)
        ? Optional.of(problem)
        : Optional.empty();
  }

  /// A run that has ended meanwhile needs no end.
  @Override
  public boolean end(RunKey run, Requester by) {
    return !(cancel.cancel(run, REASON, by) instanceof CancelRun.Result.Rejected(Problem problem)
        && problem.code() == ProblemCode.RUN_NOT_FOUND);
  }
}
