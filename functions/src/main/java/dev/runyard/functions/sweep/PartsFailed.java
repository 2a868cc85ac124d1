package dev.runyard.functions.sweep;

import dev.runyard.core.sweep.SweepRuns;
import java.io.Serial;

/// Ends a call of which a part failed, or after which runs wait because no runner starts. The log
/// has the reasons.
final class PartsFailed extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  PartsFailed(SweepRuns.Swept swept) {
    super(
        "parts that failed: %d, runners start: %s; see the lines sweep_failed and runner_start_failed"
            .formatted(swept.failures().size(), swept.blocked() ? "no" : "yes"));
  }
}
