package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.StandardExtensions;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.CliRun;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.PausePolicy;
import dev.runyard.runner.process.RunMark;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// OpenAI's Codex CLI: `codex exec --json` for a non-interactive run, else `codex app-server`. The
/// former reports tokens only at its end, so a run that is limited by tokens uses the latter.
public final class CodexBackend implements AgentBackend {
  private static final AgentManifest MANIFEST =
      AgentCatalog.builtIn().find(AgentCatalog.CODEX.name()).orElseThrow();
  private static final String PROGRAM = "codex";
  private static final String HOME = "codex";
  private static final String KEY = "CODEX_API_KEY";
  private static final String LOGIN = "auth.json";

  @Override
  public AgentManifest manifest() {
    return MANIFEST;
  }

  @Override
  public List<Path> sessionState() {
    return List.of(Path.of(HOME, "sessions"));
  }

  @Override
  public AgentRun start(AgentRunRequest request, BackendContext context) {
    CodexSettings settings = settings(context);
    CodexOptions options =
        CodexOptions.of(request.extensions(), request.workingDir())
            .within(context.processes().cell());
    try {
      CodexHome home =
          CodexHome.prepare(context.home().resolve(HOME), settings, request.workingDir());
      useLogin(home, settings, context);
      return switch (home.thread(options.session())) {
        case CodexThread.Missing missing -> AgentRun.failed(missing.failure());
        case CodexThread thread -> start(request, context, settings, options, home, thread);
      };
    } catch (IOException _) {
      return AgentRun.homeless();
    }
  }

  private static AgentRun start(
      AgentRunRequest request,
      BackendContext context,
      CodexSettings settings,
      CodexOptions options,
      CodexHome home,
      CodexThread thread)
      throws IOException {
    CodexRun run =
        new CodexRun(options, thread, request.prompt(), request.workingDir(), request.env());
    String model = options.model().or(settings::model).orElse(null);
    CodexStream stream = new CodexStream(request.attemptId() + "/", model, thread);
    RunMark mark = new RunMark(request.runId(), request.attemptId());
    if (!options.needsServer() && !request.bounds().metered()) {
      return CliRun.start(
          context,
          CodexCommand.of(settings, home, run, context.baseEnv()),
          mark,
          new Dialect(stream, opening(request, options)));
    }
    CodexConversation talk =
        new CodexConversation(
            stream,
            new CodexLines(run, model),
            new CliQuestions<>(request.standing()),
            request.attemptId(),
            opening(request, options),
            AgentPrompt.first(request, home.holds(thread, AgentPrompt.prompt(request))));
    return CliRun.start(
        context,
        CodexCommand.server(settings, home, run, context.baseEnv()),
        mark,
        talk,
        PausePolicy.resumed(context.files(), () -> true));
  }

  private static List<RunEvent> opening(AgentRunRequest request, CodexOptions options) {
    return switch (options.sandbox()) {
      case EXTERNAL -> List.of(unsandboxed(request));
      case READ_ONLY, WORKSPACE_WRITE, DANGER_FULL_ACCESS -> List.of();
    };
  }

  private static RunEvent unsandboxed(AgentRunRequest request) {
    JsonNode asked = request.extensions().get(CodexOptions.EXTERNAL_SANDBOX);
    return asked != null && asked.asBoolean()
        ? new RunEvent.RuntimeWarning(
            "external_sandbox", StandardExtensions.EXTERNAL_SANDBOX_WARNING)
        : new RunEvent.RuntimeWarning(
            "runner_sandbox",
            "Codex cannot make a sandbox of its own here, so the runner's isolation is its sandbox:"
                + " see sandbox.applied.");
  }

  /// Lets Codex use a login of the operator, who named neither endpoint nor key.
  private static void useLogin(CodexHome home, CodexSettings settings, BackendContext context)
      throws IOException {
    if (settings.baseUrl().isEmpty() && context.apiKey().isEmpty()) {
      context.copyLogin(".codex/" + LOGIN, home.path().resolve(LOGIN));
    }
  }

  private static CodexSettings settings(BackendContext context) {
    AgentSettings.Agent agent = context.settings();
    Map<String, String> environment = new HashMap<>(agent.env());
    String keyName = Objects.requireNonNullElse(agent.apiKeyEnv(), KEY);
    context.apiKey().ifPresent(key -> environment.put(keyName, key));
    return new CodexSettings(
        Objects.requireNonNullElse(agent.program(), PROGRAM),
        agent.args(),
        environment,
        Optional.ofNullable(agent.endpoint()).map(URI::create),
        keyName,
        Optional.ofNullable(agent.model()),
        agent.grants());
  }

  /// Codex's stream as an output parser.
  private record Dialect(CodexStream stream, List<RunEvent> opening) implements OutputParser {
    @Override
    public List<RunEvent> line(String line) {
      return stream.line(line);
    }

    @Override
    public Optional<Failure> giveUp() {
      return stream.giveUp();
    }

    @Override
    public Ending end(Attempt.Exit exit, String stderr) {
      CodexOutcome outcome = CodexOutcome.of(stream, exit, stderr);
      return new Ending(outcome.last(), outcome.failure());
    }
  }
}
