package dev.runyard.runner.attempt;

import dev.runyard.core.attempt.AttemptClaim;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.queue.Ticket;

/// In whose name runs are claimed.
///
/// @param name the runner's, for people
/// @param ids where the ids of attempts come from
public record RunnerIdentity(String name, Ids ids) {
  AttemptClaim claim(Ticket ticket) {
    return new AttemptClaim(ticket, ids.token(), name);
  }
}
