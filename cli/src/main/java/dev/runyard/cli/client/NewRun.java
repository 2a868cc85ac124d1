package dev.runyard.cli.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The body of a submit. Absent members get the server's defaults.
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record NewRun(
    @JsonUnwrapped Request request,
    @JsonUnwrapped Bounds bounds,
    @Nullable Workspace workspace,
    @JsonUnwrapped InThread inThread) {

  /// What is asked of which agent, and with which settings.
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Request(
      String agent,
      @JsonInclude(JsonInclude.Include.ALWAYS) String prompt,
      @JsonProperty("session_id") @Nullable String sessionId,
      @JsonProperty("working_dir") @Nullable String workingDir,
      @JsonProperty("timeout_seconds") @Nullable Integer timeoutSeconds,
      Map<String, JsonNode> extensions,
      Map<String, String> env,
      Map<String, String> tags) {
    public Request {
      extensions = new TreeMap<>(extensions);
      env = new TreeMap<>(env);
      tags = new TreeMap<>(tags);
    }
  }

  /// The files it begins with, and those that are kept.
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Workspace(
      @Nullable Repository git,
      @Nullable Uploaded upload,
      @Nullable Boolean session,
      @Nullable String run,
      @Nullable Boolean none,
      List<String> setup,
      @JsonProperty("setup_timeout_seconds") @Nullable Integer setupTimeoutSeconds,
      List<String> artifacts,
      @Nullable Boolean archive,
      @Nullable Publish publish) {
    public Workspace {
      setup = List.copyOf(setup);
      artifacts = List.copyOf(artifacts);
    }
  }

  /// Bytes that the stack has.
  public record Uploaded(String id) {}

  /// How the change is published.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Publish(
      String branch,
      @Nullable String message,
      @Nullable Boolean push,
      @JsonProperty("pull_request") @Nullable PullRequest pullRequest,
      @Nullable String credential,
      @Nullable Author author) {}

  /// The pull request that is made of it.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PullRequest(
      @Nullable String title,
      @Nullable String body,
      @Nullable String base,
      @Nullable Boolean draft) {}

  /// Who wrote the change.
  public record Author(String name, String email) {}

  /// Where the files come from, and what of it.
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Repository(
      String url,
      @Nullable String ref,
      @Nullable String credential,
      @Nullable Integer depth,
      List<String> sparse,
      @Nullable Boolean submodules,
      @Nullable Boolean lfs) {}

  /// Limits of a run other than its time.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Bounds(
      @JsonProperty("max_turns") @Nullable Integer maxTurns,
      @JsonProperty("max_tokens") @Nullable Long maxTokens,
      @JsonProperty("max_cost_usd") @Nullable Double maxCostUsd,
      @JsonProperty("idle_timeout_seconds") @Nullable Integer idleTimeoutSeconds,
      @JsonProperty("action_timeout_seconds") @Nullable Integer actionTimeoutSeconds) {
    static final Bounds NONE = new Bounds(null, null, null, null, null);
  }

  /// Its thread, its name as a turn, what happens if the thread has a turn, and its task.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record InThread(
      @JsonProperty("thread_id") @Nullable String threadId,
      @JsonProperty("turn_id") @Nullable String turnId,
      @Nullable String busy,
      @JsonProperty("task_id") @Nullable String taskId) {
    static final InThread NONE = new InThread(null, null, null, null);
  }

  public NewRun(
      String agent,
      String prompt,
      @Nullable String sessionId,
      @Nullable String workingDir,
      @Nullable Integer timeoutSeconds,
      Map<String, JsonNode> extensions,
      Map<String, String> env,
      Map<String, String> tags) {
    this(
        new Request(agent, prompt, sessionId, workingDir, timeoutSeconds, extensions, env, tags),
        Bounds.NONE,
        null,
        InThread.NONE);
  }

  /// The same within these bounds.
  public NewRun within(Bounds other) {
    return new NewRun(request, other, workspace, inThread);
  }

  /// The same with these files.
  public NewRun with(@Nullable Workspace files) {
    return new NewRun(request, bounds, files, inThread);
  }

  /// The same as this turn.
  public NewRun as(InThread turn) {
    return new NewRun(request, bounds, workspace, turn);
  }

  /// A run with nothing but an agent and a prompt.
  public static NewRun of(String agent, String prompt) {
    return new NewRun(agent, prompt, null, null, null, Map.of(), Map.of(), Map.of());
  }
}
