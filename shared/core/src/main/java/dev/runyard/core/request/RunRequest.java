package dev.runyard.core.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.message.Message;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
/// @param item the item of a job that it is; null for a run that somebody submitted
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
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JobItem item) {

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
      @Nullable WorkspaceRequest workspace,
      @Nullable RunWebhook webhook) {
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
        webhook,
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
    return with(text, sessionId, extensions, env, messages, bounds, workspace);
  }

  /// The same in the session `id`.
  public RunRequest inSession(String id) {
    return with(prompt, id, extensions, env, input, bounds, workspace);
  }

  /// The same with the messages its prompt was made of.
  public RunRequest with(List<Message> messages) {
    return with(prompt, sessionId, extensions, env, messages, bounds, workspace);
  }

  /// The same within these bounds.
  public RunRequest within(RunBounds other) {
    return with(prompt, sessionId, extensions, env, input, other, workspace);
  }

  /// The same with this workspace.
  public RunRequest with(@Nullable WorkspaceRequest other) {
    return with(prompt, sessionId, extensions, env, input, bounds, other);
  }

  /// The same that tells this webhook.
  public RunRequest telling(@Nullable RunWebhook other) {
    return new RunRequest(
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
        other,
        item);
  }

  /// The same as the item of a job.
  public RunRequest of(JobItem other) {
    return new RunRequest(
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
        webhook,
        other);
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
    return new RunRequest(
        agent,
        prompt,
        sessionId,
        extensions,
        requires,
        workingDir,
        seconds,
        env,
        tags,
        retry,
        input,
        bounds,
        workspace,
        webhook,
        item);
  }

  public RunRequest slim() {
    return with(
        "",
        sessionId,
        flags(extensions),
        Map.of(),
        List.of(),
        bounds,
        workspace == null ? null : workspace.slim());
  }

  /// What a list shows: agent and session.
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
        RetryPolicy.NEVER);
  }

  private RunRequest with(
      String text,
      String session,
      Map<String, JsonNode> options,
      Map<String, String> variables,
      List<Message> messages,
      RunBounds within,
      @Nullable WorkspaceRequest files) {
    return new RunRequest(
        agent,
        text,
        session,
        options,
        requires,
        workingDir,
        timeoutSeconds,
        variables,
        tags,
        retry,
        messages,
        within,
        files,
        webhook,
        item);
  }

  /// The extensions that are switches: later requests to the run depend on them.
  private static Map<String, JsonNode> flags(Map<String, JsonNode> extensions) {
    return extensions.entrySet().stream()
        .filter(extension -> extension.getValue().isBoolean())
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
