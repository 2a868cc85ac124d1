package dev.runyard.core.inbox;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.wakeup.WakeRunner;
import java.util.Optional;

/// Sends a run's agent a message by writing it to the run's log: what was accepted is delivered
/// once and in order, or is named as undelivered when the run ends. A message to an agent that
/// takes none is refused before anything is stored.
public final class SendMessage {
  private static final int ID_CHARS = 32;

  private final RunLog runs;
  private final AgentCatalog catalog;
  private final Ids ids;
  private final WakeRunner runners;

  public SendMessage(RunLog runs, AgentCatalog catalog, Ids ids, WakeRunner runners) {
    this.runs = runs;
    this.catalog = catalog;
    this.ids = ids;
    this.runners = runners;
  }

  /// Sends `content` for whoever asked for it. The same idempotency `key` with the same content is
  /// the same message.
  public Result send(RunKey run, String content, Optional<String> key, Requester by) {
    return switch (runs.load(run)) {
      case RunState.Absent _ ->
          rejected(ProblemCode.RUN_NOT_FOUND, "There is no run with this id.");
      case RunState.Existing state -> {
        Optional<String> unsupported = unsupported(state.facts().request());
        yield unsupported.isPresent()
            ? rejected(ProblemCode.UNSUPPORTED_CAPABILITY, unsupported.get())
            : send(run, state, new RunCommand.Message(id(key), content, null, by));
      }
    };
  }

  private Result send(RunKey run, RunState.Existing state, RunCommand.Message message) {
    return switch (runs.execute(run, state, message)) {
      case RunLog.Outcome.Done done -> accepted(done.state(), message);
      case RunLog.Outcome.Unchanged unchanged -> accepted(unchanged.state(), message);
      case RunLog.Outcome.Deferred deferred -> accepted(deferred.state(), message);
      case RunLog.Outcome.Refused refused -> new Result.Rejected(why(refused));
    };
  }

  /// Why the run takes no messages; empty when it does.
  private Optional<String> unsupported(RunRequest request) {
    String agent = request.agent();
    String why = "unsupported capability for %s: %s".formatted(agent, Capabilities.MESSAGE);
    Optional<AgentManifest> manifest = catalog.find(agent);
    if (manifest.isEmpty()) {
      return Optional.of(why);
    }
    if (manifest.get().capabilitiesOf(request.extensions()).contains(Capabilities.MESSAGE)) {
      return Optional.empty();
    }
    return Optional.of(
        manifest.get().whenInteractive().contains(Capabilities.MESSAGE)
            ? "%s while %s is true".formatted(why, Capabilities.NON_INTERACTIVE)
            : why);
  }

  private Result accepted(RunState state, RunCommand.Message message) {
    runners.wake(state);
    return new Result.Accepted(
        ((RunState.Existing) state)
            .facts()
            .interactions()
            .message(message.messageId())
            .orElseThrow());
  }

  private static Problem why(RunLog.Outcome.Refused refused) {
    return switch (refused.reason()) {
      case Decision.Reason.MISMATCH ->
          Problem.of(
              ProblemCode.IDEMPOTENCY_MISMATCH,
              "This Idempotency-Key was used with another message. Use a new key.");
      case Decision.Reason.FULL ->
          Problem.of(ProblemCode.INBOX_FULL, "The run has accepted as many messages as it may.");
      case Decision.Reason.CANCELLING ->
          Problem.of(ProblemCode.RUN_CLOSED, "The run is being cancelled.");
      case Decision.Reason.NO_RUN,
          Decision.Reason.EXISTS,
          Decision.Reason.CLOSED,
          Decision.Reason.FENCED,
          Decision.Reason.NOT_YET,
          Decision.Reason.NEWER,
          Decision.Reason.AFTER_EXIT,
          Decision.Reason.NO_ACTION,
          Decision.Reason.DECIDED,
          Decision.Reason.NOT_APPLICABLE,
          Decision.Reason.NOT_OFFERED ->
          Problem.of(
              ProblemCode.RUN_CLOSED,
              refused.state() instanceof RunState.Existing run
                  ? "The run has ended as " + run.status().wire() + "."
                  : "The run has ended.");
    };
  }

  private String id(Optional<String> key) {
    return key.map(SendMessage::keyed).orElseGet(ids::token);
  }

  private static String keyed(String key) {
    return "key-" + Digest.hex(key).substring(0, ID_CHARS);
  }

  private static Result rejected(ProblemCode code, String detail) {
    return new Result.Rejected(Problem.of(code, detail));
  }

  /// What became of the message.
  public sealed interface Result {
    record Accepted(InboxMessage message) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }
}
