package dev.runyard.core.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.ItemIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.message.Message;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a caller asks for, already validated: the agent kind, the prompt and how to run it.
///
/// @param sessionId the session to run in; empty until the run is accepted if it begins a new one,
///   which then has the run's id
/// @param timeoutSeconds run time allowed once a runner has it; 0 means no other limit than
///   [Limits#RUN_SECONDS_MAX]
/// @param input the messages the prompt was made of; empty if it was sent as text
/// @param bounds other limits of the run
/// @param workspace the files it begins with and leaves; null for an empty folder of which nothing
///   is kept
/// @param webhook who is told of this run besides the tenant's webhooks; null for nobody
/// @param inThread what it says of its turn; null for the next turn of its session's own thread
/// @param item the item of a job that it is; null for a run that somebody submitted
/// @param task the task that it is a run of; null for a run that is its own task
public record RunRequest(
    String agent,
    String prompt,
    String sessionId,
    Map<String, JsonNode> extensions,
    List<String> requires,
    @Nullable String workingDir,
    int timeoutSeconds,
    Map<String, String> env,
    Map<String, String> tags,
    RetryPolicy retry,
    List<Message> input,
    RunBounds bounds,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable WorkspaceRequest workspace,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable RunWebhook webhook,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable InThread inThread,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JobItem item,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TaskRun task) {
  public RunRequest(
      String agent,
      String prompt,
      String sessionId,
      Map<String, JsonNode> extensions,
      List<String> requires,
      @Nullable String workingDir,
      int timeoutSeconds,
      Map<String, String> env,
      Map<String, String> tags,
      RetryPolicy retry,
      List<Message> input,
      RunBounds bounds,
      @Nullable WorkspaceRequest workspace) {
    this(
        agent,
        prompt,
        sessionId,
        extensions,
        requires,
        workingDir,
        timeoutSeconds,
        env,
        tags,
        retry,
        input,
        bounds,
        workspace,
        null,
        null,
        null,
        null);
  }

  public RunRequest(
      String agent,
      String prompt,
      String sessionId,
      Map<String, JsonNode> extensions,
      List<String> requires,
      @Nullable String workingDir,
      int timeoutSeconds,
      Map<String, String> env,
      Map<String, String> tags,
      RetryPolicy retry) {
    this(
        agent,
        prompt,
        sessionId,
        extensions,
        requires,
        workingDir,
        timeoutSeconds,
        env,
        tags,
        retry,
        List.of(),
        RunBounds.NONE,
        null);
  }

  private static final String OTHER_THREAD = "_";

  public RunRequest {
    Objects.requireNonNull(agent);
    Objects.requireNonNull(prompt);
    Objects.requireNonNull(sessionId);
    Objects.requireNonNull(retry);
    extensions = Map.copyOf(extensions);
    requires = List.copyOf(requires);
    env = Map.copyOf(env);
    tags = Map.copyOf(tags);
    input = input == null ? List.of() : List.copyOf(input);
    bounds = Objects.requireNonNullElse(bounds, RunBounds.NONE);
  }

  public RunRequest turn(String text, List<Message> messages) {
    return with(
        next -> {
          next.prompt = text;
          next.input = messages;
        });
  }

  /// The same in the session `id`.
  public RunRequest inSession(String id) {
    return with(next -> next.sessionId = id);
  }

  /// The same with the messages its prompt was made of.
  public RunRequest with(List<Message> messages) {
    return with(next -> next.input = messages);
  }

  /// The same within these bounds.
  public RunRequest within(RunBounds other) {
    return with(next -> next.bounds = other);
  }

  /// The same with this workspace.
  public RunRequest with(@Nullable WorkspaceRequest other) {
    return with(next -> next.workspace = other);
  }

  /// The same that tells this webhook.
  public RunRequest telling(@Nullable RunWebhook other) {
    return with(next -> next.webhook = other);
  }

  /// The same that says this of its turn.
  public RunRequest in(@Nullable InThread other) {
    return with(next -> next.inThread = other);
  }

  /// The same as the item of a job.
  public RunRequest of(JobItem other) {
    return with(next -> next.item = other);
  }

  /// The same as a run of a task.
  public RunRequest of(TaskRun other) {
    return with(next -> next.task = other);
  }

  /// Where the turn of the run is that this becomes.
  public TurnIds turnOf(RunKey run) {
    TurnIds plain = TurnIds.of(run, sessionId);
    return new TurnIds(
        sessionId,
        threadId(),
        turnId().orElse(plain.turnId()),
        inThread == null ? null : inThread.traceId(),
        item == null ? null : new ItemIds(item.jobId(), item.item()),
        task == null ? null : task.above());
  }

  /// The thread it is in.
  public String threadId() {
    return inThread == null || inThread.threadId() == null
        ? TurnIds.threadOf(sessionId)
        : inThread.threadId();
  }

  /// What is to happen if its thread has another turn.
  public Busy busy() {
    return inThread == null || inThread.busy() == null ? Busy.QUEUE : inThread.busy();
  }

  /// The turn it names, if it names one.
  public Optional<String> turnId() {
    return Optional.ofNullable(inThread).map(InThread::turnId);
  }

  /// The same once it is decided what becomes of it, as part of a trace if it is of one.
  public RunRequest decided(@Nullable String traceId) {
    return in(InThread.decided(inThread, traceId));
  }

  /// What the agent's memory and files are kept under: a thread that a session has by itself keeps
  /// them under the session. No session's id begins like that of another thread.
  public String memoryId() {
    return inThread == null || inThread.threadId() == null
        ? sessionId
        : OTHER_THREAD + inThread.threadId();
  }

  /// True for what becomes the first run of a session that is named after it: nothing was before
  /// it.
  public boolean begins(RunKey run) {
    return memoryId().equals(run.runId());
  }

  /// The same whose workspace begins with this commit, unless it had another one before.
  public RunRequest at(@Nullable String commit) {
    return workspace == null ? this : with(workspace.at(commit));
  }

  /// The commit its workspace begins with, once that is known.
  public @Nullable String commit() {
    return workspace == null ? null : workspace.commit();
  }

  /// The same with another run time.
  public RunRequest timed(int seconds) {
    return with(next -> next.timeoutSeconds = seconds);
  }

  public RunRequest slim() {
    return with(
        next -> {
          next.prompt = "";
          next.extensions = flags(extensions);
          next.env = Map.of();
          next.input = List.of();
          next.workspace = workspace == null ? null : workspace.slim();
        });
  }

  /// What a list shows: agent, session and thread.
  public RunRequest brief() {
    return new RunRequest(
        agent,
        "",
        sessionId,
        Map.of(),
        List.of(),
        null,
        timeoutSeconds,
        Map.of(),
        Map.of(),
        RetryPolicy.NEVER,
        List.of(),
        RunBounds.NONE,
        null,
        null,
        inThread,
        null,
        null);
  }

  private RunRequest with(Consumer<Draft> change) {
    Draft next = new Draft(this);
    change.accept(next);
    return next.request();
  }

  /// The extensions that are switches: later requests to the run depend on them.
  private static Map<String, JsonNode> flags(Map<String, JsonNode> extensions) {
    return extensions.entrySet().stream()
        .filter(extension -> extension.getValue().isBoolean())
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /// What of a request changes on its way to a run and in it; all else is as it was asked for.
  private static final class Draft {
    private final RunRequest was;
    private String prompt;
    private String sessionId;
    private Map<String, JsonNode> extensions;
    private int timeoutSeconds;
    private Map<String, String> env;
    private List<Message> input;
    private RunBounds bounds;
    private @Nullable WorkspaceRequest workspace;
    private @Nullable RunWebhook webhook;
    private @Nullable InThread inThread;
    private @Nullable JobItem item;
    private @Nullable TaskRun task;

    Draft(RunRequest was) {
      this.was = was;
      this.prompt = was.prompt;
      this.sessionId = was.sessionId;
      this.extensions = was.extensions;
      this.timeoutSeconds = was.timeoutSeconds;
      this.env = was.env;
      this.input = was.input;
      this.bounds = was.bounds;
      this.workspace = was.workspace;
      this.webhook = was.webhook;
      this.inThread = was.inThread;
      this.item = was.item;
      this.task = was.task;
    }

    RunRequest request() {
      return new RunRequest(
          was.agent,
          prompt,
          sessionId,
          extensions,
          was.requires,
          was.workingDir,
          timeoutSeconds,
          env,
          was.tags,
          was.retry,
          input,
          bounds,
          workspace,
          webhook,
          inThread,
          item,
          task);
    }
  }
}
