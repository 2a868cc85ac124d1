package dev.runyard.core.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.message.Message;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a caller asks for, already validated: the agent kind, the prompt and how to run it.
///
/// @param sessionId the session to run in; empty until it is accepted where the run begins one of
///   its own, which then has the run's id
/// @param timeoutSeconds run time allowed once a runner has it; 0 switches the caller's timeout off
///   and leaves [Limits#RUN_SECONDS_MAX]
/// @param input the messages the prompt was made of; empty where it came as text
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
    List<Message> input) {

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
        List.of());
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
  }

  RunRequest turn(String text, List<Message> messages) {
    return new RunRequest(
        agent,
        text,
        sessionId,
        extensions,
        requires,
        workingDir,
        timeoutSeconds,
        env,
        tags,
        retry,
        messages);
  }

  /// The same in the session `id`.
  public RunRequest inSession(String id) {
    return new RunRequest(
        agent,
        prompt,
        id,
        extensions,
        requires,
        workingDir,
        timeoutSeconds,
        env,
        tags,
        retry,
        input);
  }

  RunRequest slim() {
    return new RunRequest(
        agent,
        "",
        sessionId,
        flags(extensions),
        requires,
        workingDir,
        timeoutSeconds,
        Map.of(),
        tags,
        retry);
  }

  /// What the extensions switch on and off: later requests to the run depend on it.
  private static Map<String, JsonNode> flags(Map<String, JsonNode> extensions) {
    return extensions.entrySet().stream()
        .filter(extension -> extension.getValue().isBoolean())
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
