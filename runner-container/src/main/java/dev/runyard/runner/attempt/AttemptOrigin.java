package dev.runyard.runner.attempt;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.thread.ThreadKey;
import dev.runyard.core.thread.ThreadOrigin;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What the thread of an attempt goes on from, read once when it is first needed. While the attempt
/// has its turn, nobody changes that.
final class AttemptOrigin {
  private final Function<ThreadKey, ThreadOrigin> bases;
  private final RunKey run;
  private final RunRequest request;
  private @Nullable ThreadOrigin known;

  AttemptOrigin(Function<ThreadKey, ThreadOrigin> bases, RunKey run, RunRequest request) {
    this.bases = bases;
    this.run = run;
    this.request = request;
  }

  /// @throws dev.runyard.core.problem.PortUnavailable when the log does not answer
  synchronized ThreadOrigin get() {
    ThreadOrigin base = known;
    if (base == null) {
      base =
          request.begins(run)
              ? ThreadOrigin.NONE
              : bases.apply(new ThreadKey(run.tenant(), request.threadId()));
      known = base;
    }
    return base;
  }
}
