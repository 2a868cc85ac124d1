package dev.runyard.runner.backend.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.agent.StandardExtensions;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.WorkspaceTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// What a CLI is started with, according to request and operator. It has its own home: nothing it
/// writes there affects the files of the runner's user.
public record CliLaunch(AgentRunRequest request, BackendContext context) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TEMPORARY = "tmp";

  /// The program the operator named, or one found by name.
  public String program(String byDefault) {
    return Objects.requireNonNullElse(context.settings().program(), byDefault);
  }

  /// The program, the operator's arguments, and these, in a new list.
  public List<String> argv(String byDefault, String... more) {
    List<String> argv = new ArrayList<>(List.of(program(byDefault)));
    argv.addAll(context.settings().args());
    argv.addAll(List.of(more));
    return argv;
  }

  /// Arguments that make the CLI ignore settings of its workspace, unless the operator trusts them.
  public List<String> ignoring(String... arguments) {
    return WorkspaceTrust.arguments(context.settings().grants(), arguments);
  }

  /// `--model` and the model, if one is named.
  public List<String> modelArguments() {
    return model().map(model -> List.of("--model", model)).orElse(List.of());
  }

  /// The model of the request, or else of the operator.
  public Optional<String> model() {
    return Optional.ofNullable(request.extensions().get(Capabilities.MODEL))
        .map(value -> value.asText("").strip())
        .or(() -> Optional.ofNullable(context.settings().model()));
  }

  public Optional<String> endpoint() {
    return Optional.ofNullable(context.settings().endpoint());
  }

  public SessionChoice resume() {
    return SessionChoice.of(request.extensions());
  }

  /// What the agent may do without asking.
  public Approval approval() {
    JsonNode value = request.extensions().get(StandardExtensions.approvalKey(request.kind()));
    return Approval.of(value == null ? StandardExtensions.APPROVAL_DEFAULT : value.asText());
  }

  /// The key of the model provider, from the runner's variables or else the agents file.
  public Optional<String> key() {
    String name = context.settings().apiKeyEnv();
    return context
        .apiKey()
        .or(
            () ->
                name == null
                    ? Optional.empty()
                    : Optional.ofNullable(context.settings().env().get(name)));
  }

  /// The variable that holds the key, according to the operator.
  public String keyName(String byDefault) {
    return Objects.requireNonNullElse(context.settings().apiKeyEnv(), byDefault);
  }

  /// The usual variables for endpoint and key of an API, for an agent of which the operator says
  /// which one it speaks.
  public Map<String, String> modelVariables() {
    ModelApi api = context.settings().models().api();
    if (api == null || endpoint().isEmpty()) {
      return Map.of();
    }
    String key = key().orElse("");
    return switch (api) {
      case RESPONSES, CHAT_COMPLETIONS ->
          Map.of("OPENAI_BASE_URL", endpoint().get(), "OPENAI_API_KEY", key);
      case MESSAGES -> Map.of("ANTHROPIC_BASE_URL", endpoint().get(), "ANTHROPIC_API_KEY", key);
      case GEMINI -> Map.of("GOOGLE_GEMINI_BASE_URL", endpoint().get(), "GEMINI_API_KEY", key);
    };
  }

  /// The whole environment of the process. The operator's variables override the CLI's own, and
  /// both override the request's, except for those that the operator lets requests override
  /// ([dev.runyard.core.agent.RequestEnv]); none overrides the home.
  ///
  /// @param keyName the variable in which the CLI expects the key
  public Map<String, String> environment(String keyName, Map<String, String> own) {
    Map<String, String> operators = new TreeMap<>(context.baseEnv());
    operators.putAll(WorkspaceTrust.variables(context.settings().grants()));
    operators.putAll(own);
    operators.putAll(context.settings().env());
    key().ifPresent(key -> operators.put(keyName, key));
    Map<String, String> environment = context.merged(operators, request);
    environment.put("HOME", context.home().toString());
    environment.put("TMPDIR", context.home().resolve(TEMPORARY).toString());
    return environment;
  }

  /// Creates the folders every home has.
  public void prepare() throws IOException {
    Files.createDirectories(context.home().resolve(TEMPORARY));
  }

  /// Writes a configuration file below the home. Never holds a secret: keys are variables.
  public void write(String file, JsonNode content) throws IOException {
    Path path = context.home().resolve(file);
    Files.createDirectories(path.getParent());
    Files.write(path, JSON.writeValueAsBytes(content));
  }

  /// Lets the CLI use a login of the operator, who named neither endpoint nor key.
  public void useLogin(List<String> files) throws IOException {
    if (endpoint().isPresent() || key().isPresent()) {
      return;
    }
    for (String file : files) {
      context.copyLogin(file, context.home().resolve(file));
    }
  }

  /// The same; true if the first of the files exists.
  public boolean login(String... files) throws IOException {
    useLogin(List.of(files));
    return Files.exists(context.home().resolve(files[0]));
  }

  /// The settings of the CLIs derived from Gemini CLI: no telemetry, no updates.
  ///
  /// @param login how it logs in
  public static ObjectNode quietSettings(String login) {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings.putObject("security").putObject("auth").put("selectedType", login);
    settings.putObject("privacy").put("usageStatisticsEnabled", false);
    settings.putObject("general").put("enableAutoUpdate", false);
    return settings;
  }

  /// Put before the ids of tool calls, so that they differ from another attempt's.
  public String callPrefix() {
    return request.attemptId() + "/";
  }
}
