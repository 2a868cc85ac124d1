package dev.runyard.runner.backend.pi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.cli.PromptedCli;
import dev.runyard.runner.backend.cli.SessionFiles;
import dev.runyard.runner.process.Stdin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The pi coding agent, as `pi --mode rpc`.
public final class PiBackend extends PromptedCli {
  private static final String PROVIDER = "runyard";
  private static final String ENDPOINT_KEY = "PI_ENDPOINT_KEY";
  private static final String MODEL = "default";
  private static final Path SESSIONS = Path.of(".pi", "agent", "sessions");
  private static final int RETRIES = 2;
  private static final int RETRY_MILLIS = 1_000;

  public PiBackend() {
    super("pi");
  }

  @Override
  public List<Path> sessionState() {
    return List.of(SESSIONS);
  }

  @Override
  protected Stdin stdin(String prompt) {
    return new Stdin.Open();
  }

  @Override
  protected Started prepare(CliLaunch launch) throws IOException {
    Path sessions = launch.context().home().resolve(SESSIONS);
    List<String> argv = launch.argv("pi", "--mode", "rpc");
    argv.addAll(
        launch.ignoring("--no-extensions", "--no-skills", "--no-prompt-templates", "--no-themes"));
    launch.write(".pi/agent/settings.json", settings());
    boolean own = launch.endpoint().isPresent();
    if (own) {
      launch.write(".pi/agent/models.json", provider(launch));
      argv.addAll(List.of("--provider", PROVIDER, "--model", launch.model().orElse(MODEL)));
    } else {
      launch.useLogin(List.of(".pi/agent/auth.json"));
      argv.addAll(launch.modelArguments());
    }
    switch (launch.approval()) {
      case NONE -> argv.addAll(List.of("--tools", "read,grep,find,ls"));
      case EDITS -> argv.addAll(List.of("--tools", "read,grep,find,ls,edit,write"));
      case ALL -> {}
    }
    switch (launch.resume()) {
      case SessionChoice.Fresh _ -> {}
      case SessionChoice.Last _ -> argv.add("--continue");
      case SessionChoice.ById(String id, _) -> {
        SessionFiles.makeNewest(sessions, "*_" + id + ".jsonl");
        argv.add("--continue");
      }
    }
    Map<String, String> env =
        new TreeMap<>(
            Map.of(
                "PI_OFFLINE", "1",
                "PI_TELEMETRY", "0",
                "PI_CODING_AGENT_SESSION_DIR", sessions.toString()));
    return new Started(
        argv,
        launch.environment(own ? ENDPOINT_KEY : launch.keyName("ANTHROPIC_API_KEY"), env),
        new PiConversation(
            new PiStream(launch.callPrefix(), launch.model().orElse(null)),
            launch.request().prompt()));
  }

  private static ObjectNode settings() {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings
        .putObject("retry")
        .put("enabled", true)
        .put("maxRetries", RETRIES)
        .put("baseDelayMs", RETRY_MILLIS);
    return settings;
  }

  /// The key is given by the name of its variable.
  private static ObjectNode provider(CliLaunch launch) {
    ObjectNode models = JsonNodeFactory.instance.objectNode();
    models
        .putObject("providers")
        .putObject(PROVIDER)
        .put("baseUrl", launch.endpoint().orElse(""))
        .put("api", "openai-completions")
        .put("apiKey", ENDPOINT_KEY)
        .putArray("models")
        .addObject()
        .put("id", launch.model().orElse(MODEL));
    return models;
  }
}
