package dev.runyard.runner.backend.claude;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.StandardExtensions;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.CliRun;
import dev.runyard.runner.backend.PausePolicy;
import dev.runyard.runner.process.RunMark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Anthropic's Claude Code, run as `claude --print`, with messages over its standard input.
public final class ClaudeBackend implements AgentBackend {
  private static final AgentManifest MANIFEST =
      AgentCatalog.builtIn().find("claude_code").orElseThrow();
  private static final String FOLDER = "claude";
  private static final String LOGIN = ".credentials.json";

  @Override
  public AgentManifest manifest() {
    return MANIFEST;
  }

  @Override
  public List<Path> sessionState() {
    return List.of(Path.of(FOLDER, ClaudeHome.CONFIG, ClaudeHome.PROJECTS));
  }

  @Override
  public AgentRun start(AgentRunRequest request, BackendContext context) {
    ClaudeOptions options = ClaudeOptions.of(request);
    try {
      ClaudeHome home = ClaudeHome.prepare(context.home().resolve(FOLDER));
      useLogin(home, context);
      return switch (home.session(options.session(), request.workingDir())) {
        case ClaudeSession.Missing(Failure failure) -> AgentRun.failed(failure);
        case ClaudeSession session -> start(options, session, home, request, context);
      };
    } catch (IOException _) {
      return AgentRun.homeless();
    }
  }

  private static AgentRun start(
      ClaudeOptions options,
      ClaudeSession session,
      ClaudeHome home,
      AgentRunRequest request,
      BackendContext context)
      throws IOException {
    String model = ClaudeCommand.model(options, context.settings()).orElse(null);
    ClaudeConversation talk =
        new ClaudeConversation(
            new ClaudeStream(request.attemptId() + "/", model),
            new CliQuestions<>(request.standing()),
            request.attemptId(),
            opening(options),
            beginning(request, session, home));
    return CliRun.start(
        context,
        ClaudeCommand.of(options, session, home, request, context),
        new RunMark(request.runId(), request.attemptId()),
        talk,
        PausePolicy.resumed(context.files(), () -> true));
  }

  private static List<AgentPrompt> beginning(
      AgentRunRequest request, ClaudeSession session, ClaudeHome home) throws IOException {
    boolean held =
        session instanceof ClaudeSession.Known known
            && home.holds(known, AgentPrompt.prompt(request));
    return AgentPrompt.first(request, held);
  }

  private static List<RunEvent> opening(ClaudeOptions options) {
    return switch (options.permissions()) {
      case EXTERNAL ->
          List.of(
              new RunEvent.RuntimeWarning(
                  "external_sandbox", StandardExtensions.EXTERNAL_SANDBOX_WARNING));
      case ASKED, ALONE -> List.of();
    };
  }

  /// Lets Claude Code use a login of the operator, who named neither endpoint nor key.
  private static void useLogin(ClaudeHome home, BackendContext context) throws IOException {
    boolean named =
        context.settings().endpoint() != null
            || context.apiKey().isPresent()
            || context.settings().env().containsKey(ClaudeCommand.KEY);
    if (!named) {
      context.copyLogin(ClaudeHome.CONFIG + "/" + LOGIN, home.config().resolve(LOGIN));
    }
  }
}
