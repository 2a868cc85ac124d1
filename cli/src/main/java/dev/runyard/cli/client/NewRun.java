package dev.runyard.cli.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The body of a submit. What is absent is left to the server's default.
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record NewRun(
    String agent,
    @JsonInclude(JsonInclude.Include.ALWAYS) String prompt,
    @JsonProperty("session_id") @Nullable String sessionId,
    @JsonProperty("working_dir") @Nullable String workingDir,
    @JsonProperty("timeout_seconds") @Nullable Integer timeoutSeconds,
    Map<String, JsonNode> extensions,
    Map<String, String> env,
    Map<String, String> tags) {

  public NewRun {
    extensions = new TreeMap<>(extensions);
    env = new TreeMap<>(env);
    tags = new TreeMap<>(tags);
  }

  /// A run with nothing but an agent and a prompt.
  public static NewRun of(String agent, String prompt) {
    return new NewRun(agent, prompt, null, null, null, Map.of(), Map.of(), Map.of());
  }
}
