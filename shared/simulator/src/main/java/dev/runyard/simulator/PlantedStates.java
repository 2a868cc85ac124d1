package dev.runyard.simulator;

import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import java.time.Instant;

/// What rules with a planted defect take for the state of a run.
final class PlantedStates {
  private PlantedStates() {}

  static RunState seen(Defect defect, RunState state) {
    return switch (state) {
      case RunState.InProgress run when defect == Defect.MESSAGE_SHOWS_ATTEMPT_ALIVE ->
          new RunState.InProgress(
              facts(run.facts(), run.facts().request(), run.facts().at()), run.attempt());
      case RunState.InProgress run when defect == Defect.RETRIES_HALVED ->
          new RunState.InProgress(
              facts(run.facts(), halved(run.facts().request()), run.facts().wroteAt()),
              run.attempt());
      case RunState.Created run when defect == Defect.TURN_TAKEN_FOR_WAIT ->
          new RunState.Created(run.facts(), waitsForRunner(run.waiting()));
      case RunState _ -> state;
    };
  }

  private static RunRequest halved(RunRequest request) {
    RetryPolicy retry = request.retry();
    return new RunRequest(
        request.agent(),
        request.prompt(),
        request.sessionId(),
        request.extensions(),
        request.requires(),
        request.workingDir(),
        request.timeoutSeconds(),
        request.env(),
        request.tags(),
        new RetryPolicy(Math.max(1, retry.maxAttempts() / 2), retry.on(), retry.backoffSeconds()),
        request.input(),
        request.bounds(),
        request.workspace());
  }

  private static RunFacts facts(RunFacts facts, RunRequest request, Instant wroteAt) {
    return new RunFacts(
        facts.run(),
        request,
        facts.createdAt(),
        facts.startedAt(),
        facts.sequence(),
        facts.at(),
        wroteAt,
        facts.attempts(),
        facts.usage(),
        facts.nativeSessionId(),
        facts.message(),
        facts.lastMessage(),
        facts.interactions(),
        facts.chain(),
        facts.form(),
        facts.aside(),
        facts.lifeSeconds());
  }

  private static RunState.Waiting waitsForRunner(RunState.Waiting waiting) {
    return new RunState.Waiting(
        waiting.since(),
        waiting.sentAt(),
        waiting.delaySeconds(),
        waiting.resend(),
        null,
        waiting.blocked());
  }
}
