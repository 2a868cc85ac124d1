package dev.runyard.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.client.NewRun;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "run",
    description = "Submit a run; with --watch, show it live until it ends.",
    footer = {
      "",
      "Without --watch the run's id is printed and the exit status is 0.",
      "With --watch on a terminal, an agent that can ask is let ask you.",
      "With --watch: 0 completed, 1 failed, 130 cancelled. Ctrl-C detaches, the run continues.",
      "With --repo a copy of the files goes to the run: in a repository those that git tracks or",
      "would track, as they are now. With --apply what the run changed comes back to them."
    })
final class RunAgentCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private static final String NON_INTERACTIVE = "agent_api.exec.non_interactive";
  private static final String EXTERNAL_SANDBOX = "agent_api.exec.external_sandbox.v1";

  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "AGENT", description = "Agent kind, such as codex.")
  private String agent = "";

  @Parameters(index = "1", paramLabel = "PROMPT", description = "What the agent is to do.")
  private String prompt = "";

  @Option(names = "--watch", description = "Show the run live and exit with its result.")
  private boolean watch;

  @Option(
      names = "--no-ask",
      description = "With --watch on a terminal: let the agent work without asking you.")
  private boolean noAsk;

  @Option(names = "--session", paramLabel = "ID", description = "Session to continue.")
  private @Nullable String session;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Run time allowed once a runner has the run.")
  private @Nullable Integer timeout;

  @Option(
      names = "--working-dir",
      paramLabel = "DIR",
      description = "Directory of the workspace to start the agent in.")
  private @Nullable String workingDir;

  @Option(
      names = "--ext",
      paramLabel = "KEY=JSON",
      description = "Extension option; a value that is not JSON is taken as text.")
  private Map<String, String> extensions = new LinkedHashMap<>();

  @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Variable for the agent.")
  private Map<String, String> env = new LinkedHashMap<>();

  @Option(names = "--tag", paramLabel = "NAME=VALUE", description = "Label kept with the run.")
  private Map<String, String> tags = new LinkedHashMap<>();

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "Submitting again with the same key gives the same run.")
  private @Nullable String idempotencyKey;

  @Mixin private ThreadOption turn = new ThreadOption();
  @Mixin private BoundsOption bounds = new BoundsOption();
  @Mixin private WorkspaceOption files = new WorkspaceOption();
  @Mixin private RepoOption repo = new RepoOption();
  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  RunAgentCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    Map<String, JsonNode> options = parsedExtensions();
    String key = idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey;
    try (RunyardClient client = server.client(terminal)) {
      if (mayAsk(options) && canAsk(client)) {
        options.put(NON_INTERACTIVE, JSON.getNodeFactory().booleanNode(false));
      }
      NewRun run =
          new NewRun(agent, prompt, session, workingDir, timeout, options, env, tags)
              .within(bounds.bounds())
              .as(turn.inThread());
      Optional<Path> folder = repo.folder(Objects.requireNonNull(spec).commandLine(), files);
      return folder.isEmpty()
          ? sent(client, run.with(files.workspace(null, session != null)), key, _ -> ExitCode.DONE)
          : new FolderRun(terminal, client, folder.get())
              .send(
                  (upload, then) ->
                      sent(client, run.with(files.workspace(upload, session != null)), key, then),
                  repo.apply());
    }
  }

  private int sent(RunyardClient client, NewRun run, String key, ToIntFunction<String> ended)
      throws InterruptedException {
    ServerReply reply = client.submit(run, key);
    if (!(reply instanceof ServerReply.Done(JsonNode accepted)) || !watches()) {
      return new Answers(terminal, output.json()).show(reply, this::submitted);
    }
    String runId = accepted.path("run_id").asText();
    terminal.note("run " + runId);
    int status = new Watch(terminal, client, output.json()).follow(runId, 0);
    if (status == ExitCode.DONE) {
      return ended.applyAsInt(runId);
    }
    if (repo.apply()) {
      terminal.note("nothing is applied; what the run changed: ./runyard patch " + runId);
    }
    return status;
  }

  private boolean watches() {
    return watch || repo.apply();
  }

  /// True when somebody is there to be asked and the caller did not set the option.
  private boolean mayAsk(Map<String, JsonNode> options) {
    return watches()
        && !noAsk
        && terminal.answers()
        && !output.json()
        && !options.containsKey(NON_INTERACTIVE)
        && !options.containsKey(EXTERNAL_SANDBOX);
  }

  private boolean canAsk(RunyardClient client) {
    return client.agent(agent) instanceof ServerReply.Done(JsonNode manifest)
        && manifest.path("extensions").path("properties").has(NON_INTERACTIVE);
  }

  private int submitted(JsonNode run) {
    String runId = run.path("run_id").asText();
    terminal.line(runId);
    terminal.note("watch it with: ./runyard watch " + runId);
    return ExitCode.DONE;
  }

  private Map<String, JsonNode> parsedExtensions() {
    Map<String, JsonNode> parsed = new LinkedHashMap<>();
    extensions.forEach((key, value) -> parsed.put(key, parse(value)));
    return parsed;
  }

  private JsonNode parse(String value) {
    try {
      return JSON.readTree(value);
    } catch (JsonProcessingException _) {
      if (value.startsWith("{") || value.startsWith("[") || value.startsWith("\"")) {
        throw new ParameterException(
            Objects.requireNonNull(spec).commandLine(), "not JSON: '" + value + "'");
      }
      return JSON.getNodeFactory().textNode(value);
    }
  }
}
