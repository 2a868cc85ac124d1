package dev.runyard.runner.attempt;

import dev.runyard.core.attempt.AttemptClaim;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.queue.Ticket;

/// The identity with which runs are claimed.
///
/// @param name of the runner, for people
/// @param ids creates the ids of attempts
public record RunnerIdentity(String name, Ids ids) {
  AttemptClaim claim(Ticket ticket) {
    return new AttemptClaim(ticket, ids.token(), name);
  }
}
