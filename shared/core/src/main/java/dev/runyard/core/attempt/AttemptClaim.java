package dev.runyard.core.attempt;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.RunCommand;
import java.time.Instant;
import java.util.OptionalLong;

/// Who claims a run, and with which message. The attempt's id fences other attempts.
///
/// @param ticket the queue message that names the run
/// @param attemptId given to no other attempt
/// @param runner the runner's name, for people
public record AttemptClaim(Ticket ticket, String attemptId, String runner) {
  RunKey run() {
    return ticket.run();
  }

  /// Names the agent's process in the log.
  String processId() {
    return "process-" + attemptId;
  }

  RunCommand.Claim command(Instant now) {
    OptionalLong seen =
        ticket.sighting().map(s -> OptionalLong.of(s.beat())).orElseGet(OptionalLong::empty);
    return new RunCommand.Claim(attemptId, runner, ticket.id(), seen, now);
  }
}
