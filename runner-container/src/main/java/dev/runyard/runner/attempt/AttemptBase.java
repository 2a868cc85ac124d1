package dev.runyard.runner.attempt;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.thread.ThreadBase;
import dev.runyard.core.thread.ThreadKey;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What the thread of an attempt goes on from, read once when it is first needed. While the attempt
/// has its turn, nobody changes that.
final class AttemptBase {
  private final Function<ThreadKey, ThreadBase> bases;
  private final RunKey run;
  private final RunRequest request;
  private @Nullable ThreadBase known;

  AttemptBase(Function<ThreadKey, ThreadBase> bases, RunKey run, RunRequest request) {
    this.bases = bases;
    this.run = run;
    this.request = request;
  }

  /// @throws dev.runyard.core.problem.PortUnavailable when the log does not answer
  synchronized ThreadBase get() {
    ThreadBase base = known;
    if (base == null) {
      base =
          request.begins(run)
              ? ThreadBase.NONE
              : bases.apply(new ThreadKey(run.tenant(), request.threadId()));
      known = base;
    }
    return base;
  }
}
