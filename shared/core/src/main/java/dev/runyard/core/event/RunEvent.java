package dev.runyard.core.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.OutputHead;
import dev.runyard.core.message.OutputPart;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.JobItem;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.request.RunWebhook;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.usage.Usage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A fact about a run. Each record is the payload of one type of the Agent Runtime standard; its
/// components are the payload's members. Members are only ever added.
///
/// Each belongs to one family, for code that need not know the exact type: [Scheduling],
/// [Execution], [TurnEnd] and [Terminal] move a run through its life, [Output] is what its agent
/// reports, [Interaction] what passes between agent and people, [Notice] says how the run is doing.
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface RunEvent {
  /// Changes the run's state. Such an event is written at once, and its chunk carries the new
  /// state; every other event may wait for a flush window and is skipped by the stream functions.
  sealed interface StateChange extends RunEvent {}

  /// Written only by an attempt's runner: it shows that the attempt is alive. The end of an attempt
  /// is one of them, whoever writes it: nothing follows it.
  sealed interface SignOfLife extends RunEvent
      permits Execution, Output, Request, ProcessInput, RunnerNotice {}

  /// What clients want of a run, and when it waits for its next attempt.
  sealed interface Scheduling extends StateChange {}

  /// The course of an attempt.
  sealed interface Execution extends StateChange, SignOfLife {}

  /// The course of an attempt's process.
  sealed interface ProcessEvent extends Execution, InEnvelope.ProcessId {}

  /// The attempt writes nothing any more.
  sealed interface AttemptEnd extends Execution {
    String attemptId();
  }

  /// Comes with a [Terminal] event.
  sealed interface TurnEnd extends StateChange {}

  /// The last event of a run.
  sealed interface Terminal extends StateChange {}

  /// Reported by an agent: an attempt that continues another counts these events to know what was
  /// already written. Questions are not output; they are interactions.
  sealed interface Output extends SignOfLife {
    /// False for what the runner found out by itself, which no agent reports again.
    default boolean ofAgent() {
      return !(this instanceof CostRecorded cost && cost.call() != null);
    }
  }

  /// A call of a tool; `subagentId` is of the agent's own helper that makes it.
  sealed interface ToolCall extends Output, InEnvelope.ToolCallId, InEnvelope.SubagentId {
    @Override
    String toolCallId();
  }

  sealed interface ToolEnd extends ToolCall, InEnvelope.OutputRef {
    @Nullable String preview();

    /// The same with what is shown of its output, and the name of the stored output.
    ToolEnd showing(String shown, @Nullable String ref);
  }

  /// Questions, decisions and messages between an agent and people.
  sealed interface Interaction extends RunEvent {}

  /// The agent asks.
  sealed interface Request extends Interaction, StateChange, SignOfLife, InEnvelope.ActionId
      permits ActionRequired, PermissionRequested, TaskWaiting {}

  sealed interface Resolution extends Interaction, StateChange, InEnvelope.ActionId
      permits ActionResolved, PermissionResolved {}

  /// How a run is doing, for those who watch it.
  sealed interface Notice extends RunEvent permits TaskBlocked, RunnerNotice {}

  /// The same from an attempt's runner.
  sealed interface RunnerNotice extends Notice, SignOfLife
      permits RunStatus, ModelNotice, SandboxApplied, ChangeNotice, WorkspaceNotice {}

  @EventType("task.created")
  record TaskCreated(
      String agent,
      Map<String, JsonNode> extensions,
      List<String> requires,
      @Nullable String workingDir,
      int timeoutSeconds,
      Map<String, String> env,
      Map<String, String> tags,
      RetryPolicy retry,
      @Nullable RunBounds bounds,
      @Nullable WorkspaceRequest workspace,
      @Nullable RunWebhook webhook,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JobItem item,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TaskRun task,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer lifeSeconds)
      implements Scheduling {
    public TaskCreated(
        String agent,
        Map<String, JsonNode> options,
        List<String> needs,
        @Nullable String dir,
        int time,
        Map<String, String> env,
        Map<String, String> tags,
        RetryPolicy retry) {
      this(agent, options, needs, dir, time, env, tags, retry, null, null, null, null, null, null);
    }
  }

  /// What the agent is to do: as text, and as messages if it was sent as messages.
  @EventType("turn.submitted")
  record TurnSubmitted(String prompt, @Nullable List<Message> input) implements Scheduling {
    public TurnSubmitted(String prompt) {
      this(prompt, null);
    }
  }

  /// The run waits for a runner that knows its `form`: `attempt` is the number of the next attempt,
  /// `resend` counts how often its message was sent again. A run `behind` another of its session
  /// has no message before its turn; `resend` then counts the checks for its turn.
  @EventType("task.queued")
  record TaskQueued(
      int attempt, int delaySeconds, int resend, @Nullable String behind, @Nullable Integer form)
      implements Scheduling {
    public TaskQueued(int attempt, int delaySeconds, int resend) {
      this(attempt, delaySeconds, resend, null, null);
    }
  }

  @EventType("task.retrying")
  record TaskRetrying(int attempt, String reason) implements Scheduling {}

  /// The claim: from here on only this attempt may write output. A `continuation` continues where a
  /// paused attempt stopped; any other attempt begins from the start.
  @EventType("task.attempt.started")
  record AttemptStarted(
      int attempt, String attemptId, String runner, String ticket, boolean continuation)
      implements Execution {
    public AttemptStarted(int attempt, String attemptId, String runner, String ticket) {
      this(attempt, attemptId, runner, ticket, false);
    }
  }

  @EventType("turn.started")
  record TurnStarted(int attempt) implements Execution {}

  /// Written before the agent is started: without it no attempt has run the agent.
  @EventType("process.started")
  record ProcessStarted(String processId, String program) implements ProcessEvent {}

  /// A sign of life of a quiet attempt.
  @EventType("run.status")
  record RunStatus(String phase) implements RunnerNotice {}

  /// The agent's own id of its session, for resuming it.
  @EventType("session.updated")
  record SessionUpdated(String nativeSessionId) implements Output {}

  /// More of the message being written; `part` describes its content if it is not plain text.
  @EventType("model.delta")
  record ModelDelta(String text, @Nullable OutputPart part) implements Output {
    public ModelDelta(String text) {
      this(text, null);
    }
  }

  @EventType("reasoning.delta")
  record ReasoningDelta(String text) implements Output {}

  /// The deltas since the last one make a whole message.
  @EventType("model.completed")
  record ModelCompleted(@Nullable OutputHead message) implements Output {
    public ModelCompleted() {
      this(null);
    }
  }

  @EventType("tool.started")
  record ToolStarted(
      String toolCallId,
      String name,
      String kind,
      @Nullable String input,
      @Nullable String subagentId)
      implements ToolCall {
    public ToolStarted(String toolCallId, String name, String kind, @Nullable String input) {
      this(toolCallId, name, kind, input, null);
    }
  }

  @EventType("tool.progress")
  record ToolProgress(
      String toolCallId,
      String name,
      String kind,
      @Nullable String preview,
      @Nullable String subagentId)
      implements ToolCall {}

  /// The call returned `outputBytes` bytes; `preview` has all of them or, if there are many, the
  /// beginning and the end; `outputRef` names what was put into the artifact store before.
  @EventType("tool.result")
  record ToolResult(
      String toolCallId,
      String name,
      String kind,
      @Nullable Integer exitCode,
      @Nullable String preview,
      long outputBytes,
      @Nullable String outputRef,
      @Nullable String subagentId)
      implements ToolEnd {
    public ToolResult(
        String toolCallId,
        String name,
        String kind,
        @Nullable Integer exitCode,
        @Nullable String preview,
        long outputBytes) {
      this(toolCallId, name, kind, exitCode, preview, outputBytes, null, null);
    }

    @Override
    public ToolResult showing(String shown, @Nullable String ref) {
      return new ToolResult(toolCallId, name, kind, exitCode, shown, outputBytes, ref, subagentId);
    }
  }

  /// The call failed; its members are those of a result.
  @EventType("tool.failed")
  record ToolFailed(
      String toolCallId,
      String name,
      String kind,
      @Nullable Integer exitCode,
      @Nullable String preview,
      long outputBytes,
      @Nullable String outputRef,
      @Nullable String subagentId)
      implements ToolEnd {
    public ToolFailed(
        String toolCallId,
        String name,
        String kind,
        @Nullable Integer exitCode,
        @Nullable String preview,
        long outputBytes) {
      this(toolCallId, name, kind, exitCode, preview, outputBytes, null, null);
    }

    @Override
    public ToolFailed showing(String shown, @Nullable String ref) {
      return new ToolFailed(toolCallId, name, kind, exitCode, shown, outputBytes, ref, subagentId);
    }
  }

  /// The agent changed a file: `path` is relative where it is inside the working directory, and
  /// `change` is absent if the agent does not say whether the file was there before.
  @EventType("artifact.changed")
  record ArtifactChanged(@Nullable String toolCallId, String path, @Nullable FileChange change)
      implements Output, InEnvelope.ToolCallId {}

  /// The agent's current plan, whole.
  @EventType("task.progress")
  record TaskProgress(List<PlanEntry> entries) implements Output {
    public TaskProgress {
      entries = entries == null ? List.of() : List.copyOf(entries);
    }
  }

  /// What calls of a model used; `call` is there if the model gateway reports a single one, and
  /// `subagentId` if the agent says that a helper of its own made them.
  @EventType("cost.recorded")
  record CostRecorded(
      Usage usage, @Nullable String model, @Nullable ModelCall call, @Nullable String subagentId)
      implements Output, InEnvelope.SubagentId {
    public CostRecorded(Usage usage, @Nullable String model) {
      this(usage, model, null, null);
    }
  }

  @EventType("runtime.warning")
  record RuntimeWarning(String code, String message) implements Output {}

  @EventType("runtime.error")
  record RuntimeError(String code, String message) implements Output {}

  /// Something was cut or left out: `what`, how many bytes it had, and the limit.
  @EventType("output.truncated")
  record OutputTruncated(String what, long bytes, long bytesMax) implements Output {}

  /// Values of a secret were cut out of what the agent said, so many times so far.
  @EventType("output.redacted")
  record OutputRedacted(String secret, long count) implements Output {}

  /// An output too large for an event is in the artifact store: `bytes` of it, under a name.
  @EventType("output.spilled")
  record OutputSpilled(
      String outputRef, String toolCallId, long bytes, String sha256, String contentType)
      implements Output, InEnvelope.ToolCallId, InEnvelope.OutputRef {}

  /// The first decision on an action; there is no second.
  @EventType("action.resolved")
  record ActionResolved(
      String actionId, ActionDecision decision, @Nullable JsonNode payload, String by)
      implements Resolution {}

  /// A client's message to the agent, accepted.
  @EventType("channel.message")
  record ChannelMessage(String messageId, String content, @Nullable String from)
      implements Interaction {}

  /// The agent took a message, or the answer to an action; or refused it, with the reason.
  @EventType("process.input")
  record ProcessInput(
      String processId,
      @Nullable String messageId,
      @Nullable String actionId,
      @Nullable String refused)
      implements Interaction, SignOfLife, InEnvelope.ProcessId, InEnvelope.ActionId {}

  /// The run ends and these messages were accepted but never taken.
  @EventType("channel.disconnected")
  record ChannelDisconnected(List<String> undelivered) implements Interaction, StateChange {}

  /// The attempt ended on purpose, or was lost while it only waited for a person: the run continues
  /// in another attempt, once the person has decided or the run may go on.
  @EventType("task.paused")
  record TaskPaused(int attempt, String attemptId, String reason) implements AttemptEnd {}

  /// Everything a paused run waited for is decided.
  @EventType("task.resumed")
  record TaskResumed(int attempt) implements Scheduling {}

  /// Somebody wants the run to give its place up, and why; or it may go on.
  @EventType("task.updated")
  record TaskUpdated(@Nullable String putAside) implements Scheduling {}

  @EventType("task.cancel_requested")
  record CancelRequested(String reason) implements Scheduling {}

  /// The runner ended the agent's process tree; `left` counts processes that would not die.
  @EventType("process.terminated")
  record ProcessTerminated(String processId, String reason, int left) implements ProcessEvent {}

  @EventType("process.completed")
  record ProcessCompleted(
      String processId, @Nullable Integer exitCode, @Nullable Integer signal, long durationMillis)
      implements ProcessEvent {}

  /// The agent could not be started, or it broke without an exit status.
  @EventType("process.failed")
  record ProcessFailed(String processId, Failure error) implements ProcessEvent {}

  @EventType("task.attempt.completed")
  record AttemptCompleted(int attempt, String attemptId) implements AttemptEnd {}

  @EventType("task.attempt.failed")
  record AttemptFailed(int attempt, String attemptId, Failure error) implements AttemptEnd {}

  @EventType("turn.completed")
  record TurnCompleted() implements TurnEnd {}

  @EventType("turn.failed")
  record TurnFailed(Failure error) implements TurnEnd {}

  @EventType("task.completed")
  record TaskCompleted() implements Terminal {}

  @EventType("task.failed")
  record TaskFailed(Failure error) implements Terminal {}

  @EventType("task.cancelled")
  record TaskCancelled(String reason) implements Terminal {}

  @EventType("task.timed_out")
  record TaskTimedOut(Failure error) implements Terminal {}

  @EventType("task.lost")
  record TaskLost(Failure error) implements Terminal {}

  /// An event of another type of the standard, kept as it is: newer writers may know more types.
  record Other(String type, JsonNode payload) implements Output {}
}
