package dev.runyard.core.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.OutputHead;
import dev.runyard.core.message.OutputPart;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A fact about a run. Each record is the payload of one type of the Agent Runtime standard; its
/// components are the payload's members. Members are only ever added.
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface RunEvent {

  record TaskCreated(
      String agent,
      Map<String, JsonNode> extensions,
      List<String> requires,
      @Nullable String workingDir,
      int timeoutSeconds,
      Map<String, String> env,
      Map<String, String> tags,
      RetryPolicy retry,
      @Nullable RunBounds bounds)
      implements RunEvent {
    public TaskCreated(
        String agent,
        Map<String, JsonNode> extensions,
        List<String> requires,
        @Nullable String workingDir,
        int timeoutSeconds,
        Map<String, String> env,
        Map<String, String> tags,
        RetryPolicy retry) {
      this(agent, extensions, requires, workingDir, timeoutSeconds, env, tags, retry, null);
    }
  }

  /// What the agent is to do: as text, and as the messages it came as where it came so.
  record TurnSubmitted(String prompt, @Nullable List<Message> input) implements RunEvent {
    public TurnSubmitted(String prompt) {
      this(prompt, null);
    }
  }

  /// The run waits for a runner as of now: `attempt` is the number the next attempt will have,
  /// `resend` counts how often its queue message had to be sent again. A run `behind` another of
  /// its session has no message before its turn; `resend` then counts the looks whether it has
  /// come.
  record TaskQueued(int attempt, int delaySeconds, int resend, @Nullable String behind)
      implements RunEvent {
    public TaskQueued(int attempt, int delaySeconds, int resend) {
      this(attempt, delaySeconds, resend, null);
    }
  }

  /// Runners do not start, so the run waits in vain for now: `cause` in one word, `error` says what
  /// to do. Written again when the cause changes.
  record TaskBlocked(String cause, Failure error) implements RunEvent {}

  record TaskRetrying(int attempt, String reason) implements RunEvent {}

  /// The claim: from here on only this attempt may write output. A `continuation` goes on where a
  /// paused attempt stood; any other attempt begins anew.
  record AttemptStarted(
      int attempt, String attemptId, String runner, String ticket, boolean continuation)
      implements RunEvent {
    public AttemptStarted(int attempt, String attemptId, String runner, String ticket) {
      this(attempt, attemptId, runner, ticket, false);
    }
  }

  record TurnStarted(int attempt) implements RunEvent {}

  /// Written before the agent is started: without it no attempt has run the agent.
  record ProcessStarted(String processId, String program) implements RunEvent {}

  /// A sign of life of a quiet attempt.
  record RunStatus(String phase) implements RunEvent {}

  /// The agent's own name of the conversation, for resuming it.
  record SessionUpdated(String nativeSessionId) implements RunEvent {}

  /// More of the message being written; `part` says what its text is where it is not plain text.
  record ModelDelta(String text, @Nullable OutputPart part) implements RunEvent {
    public ModelDelta(String text) {
      this(text, null);
    }
  }

  record ReasoningDelta(String text) implements RunEvent {}

  /// The deltas since the last one make a whole message.
  record ModelCompleted(@Nullable OutputHead message) implements RunEvent {
    public ModelCompleted() {
      this(null);
    }
  }

  record ToolStarted(String toolCallId, String name, String kind, @Nullable String input)
      implements RunEvent {}

  record ToolProgress(String toolCallId, String name, String kind, @Nullable String preview)
      implements RunEvent {}

  /// The call gave back `outputBytes`: `preview` where that is little, else its beginning and its
  /// end. `outputRef` names the output in the artifact store, where it was put before (see
  /// [OutputSpilled]).
  record ToolResult(
      String toolCallId,
      String name,
      String kind,
      @Nullable Integer exitCode,
      @Nullable String preview,
      long outputBytes,
      @Nullable String outputRef)
      implements RunEvent {
    public ToolResult(
        String toolCallId,
        String name,
        String kind,
        @Nullable Integer exitCode,
        @Nullable String preview,
        long outputBytes) {
      this(toolCallId, name, kind, exitCode, preview, outputBytes, null);
    }

    /// The same with what is shown of its output, and the name of what is kept of it.
    public ToolResult showing(String shown, @Nullable String ref) {
      return new ToolResult(toolCallId, name, kind, exitCode, shown, outputBytes, ref);
    }
  }

  /// The call failed; its members are those of a result.
  record ToolFailed(
      String toolCallId,
      String name,
      String kind,
      @Nullable Integer exitCode,
      @Nullable String preview,
      long outputBytes,
      @Nullable String outputRef)
      implements RunEvent {
    public ToolFailed(
        String toolCallId,
        String name,
        String kind,
        @Nullable Integer exitCode,
        @Nullable String preview,
        long outputBytes) {
      this(toolCallId, name, kind, exitCode, preview, outputBytes, null);
    }

    /// The same with what is shown of its output, and the name of what is kept of it.
    public ToolFailed showing(String shown, @Nullable String ref) {
      return new ToolFailed(toolCallId, name, kind, exitCode, shown, outputBytes, ref);
    }
  }

  /// The agent changed a file: `path` is relative where it is inside the working directory, and
  /// `change` is absent where the agent does not say whether the file was there before.
  record ArtifactChanged(@Nullable String toolCallId, String path, @Nullable FileChange change)
      implements RunEvent {}

  /// The agent's plan as it stands now, whole.
  record TaskProgress(List<PlanEntry> entries) implements RunEvent {
    public TaskProgress {
      entries = entries == null ? List.of() : List.copyOf(entries);
    }
  }

  record CostRecorded(Usage usage, @Nullable String model) implements RunEvent {}

  record RuntimeWarning(String code, String message) implements RunEvent {}

  record RuntimeError(String code, String message) implements RunEvent {}

  /// Something was cut or left out: `what`, of how many bytes, and the limit it met.
  record OutputTruncated(String what, long bytes, long bytesMax) implements RunEvent {}

  /// An output too large for an event is in the artifact store, under a name of the run: `bytes` of
  /// it, with their SHA-256 in hexadecimal.
  record OutputSpilled(
      String outputRef, String toolCallId, long bytes, String sha256, String contentType)
      implements RunEvent {}

  /// The agent needs a decision of a person before it goes on. Not decided by `expiresAt` it counts
  /// as refused, never as granted.
  record ActionRequired(
      String actionId,
      ActionType actionType,
      String prompt,
      @Nullable JsonNode schema,
      List<String> choices,
      int timeoutSeconds,
      Instant expiresAt,
      @Nullable JsonNode payload)
      implements RunEvent {}

  /// Comes with an `action.required` of type permission.
  record PermissionRequested(String actionId) implements RunEvent {}

  /// Comes with every `action.required`; `phase` is what the run waits for.
  record TaskWaiting(String actionId, String phase) implements RunEvent {}

  /// The first decision on an action; there is no second.
  record ActionResolved(
      String actionId, ActionDecision decision, @Nullable JsonNode payload, String by)
      implements RunEvent {}

  /// Comes with the `action.resolved` of a permission.
  record PermissionResolved(String actionId, ActionDecision decision) implements RunEvent {}

  /// A client's message to the agent, accepted.
  record ChannelMessage(String messageId, String content, @Nullable String from)
      implements RunEvent {}

  /// The agent took a message, or the answer to an action; or refused it, with the reason.
  record ProcessInput(
      String processId,
      @Nullable String messageId,
      @Nullable String actionId,
      @Nullable String refused)
      implements RunEvent {}

  /// The run ends and these messages were accepted but never taken.
  record ChannelDisconnected(List<String> undelivered) implements RunEvent {}

  /// The attempt ended on purpose, or was lost, while it only waited for a person: it goes on in
  /// another attempt once the person has decided.
  record TaskPaused(int attempt, String attemptId, String reason) implements RunEvent {}

  /// Everything a paused run waited for is decided.
  record TaskResumed(int attempt) implements RunEvent {}

  record CancelRequested(String reason) implements RunEvent {}

  /// The runner ended the agent's process tree; `left` counts processes that would not die.
  record ProcessTerminated(String processId, String reason, int left) implements RunEvent {}

  record ProcessCompleted(
      String processId, @Nullable Integer exitCode, @Nullable Integer signal, long durationMillis)
      implements RunEvent {}

  /// The agent could not be started, or it broke without an exit status.
  record ProcessFailed(String processId, Failure error) implements RunEvent {}

  record AttemptCompleted(int attempt, String attemptId) implements RunEvent {}

  record AttemptFailed(int attempt, String attemptId, Failure error) implements RunEvent {}

  record TurnCompleted() implements RunEvent {}

  record TurnFailed(Failure error) implements RunEvent {}

  record TaskCompleted() implements RunEvent {}

  record TaskFailed(Failure error) implements RunEvent {}

  record TaskCancelled(String reason) implements RunEvent {}

  record TaskTimedOut(Failure error) implements RunEvent {}

  record TaskLost(Failure error) implements RunEvent {}

  /// An event of another type of the standard, kept as it is: newer writers may know more types
  /// than this reader.
  record Other(String type, JsonNode payload) implements RunEvent {}
}
