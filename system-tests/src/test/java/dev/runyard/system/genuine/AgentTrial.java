package dev.runyard.system.genuine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.cli.CacheFolder;
import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.Grants;
import dev.runyard.core.agent.ModelRoute;
import dev.runyard.core.agent.NetworkAccess;
import dev.runyard.core.agent.Prices;
import dev.runyard.core.agent.RequestEnv;
import dev.runyard.core.agent.StandardExtensions;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.AgentSurroundings;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.EventShaper;
import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.backend.RunContext;
import dev.runyard.runner.gateway.AttemptEndpoint;
import dev.runyard.runner.gateway.CallTerms;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.gateway.ModelGrant;
import dev.runyard.runner.isolation.Cell;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import dev.runyard.system.ProcessTable;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Runs a genuine agent CLI through its backend, with a model on this machine, which it calls as if
/// its network were limited. All of its runs share a home, as the runs of a session do, and each
/// has its own folder.
final class AgentTrial {
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final String KEY = "MODEL_KEY";
  private static final long SEQUENCE = 100;

  /// The key of its model, which is none.
  static final String KEY_VALUE = "not-a-secret-0123456789-abcdef";

  /// What a request may set.
  static final String VARIABLE = "RELEASE";

  private static final Ids IDS = new RandomIds(new SecureRandom());

  private final AgentKind kind;
  private final Path folder;
  private final AgentSettings.Agent settings;
  private final AttemptEndpoint models;
  private ArtifactStore stored = new MemoryArtifactStore();
  private Redaction redaction = new Redaction();
  private Map<String, String> variables = Map.of();
  private Isolation isolation = Isolation.NONE;
  private Cell cell = Cell.OPEN;
  private RunKey latest = new RunKey("acme", IDS.runId(Instant.EPOCH));

  AgentTrial(AgentKind kind, Path folder, URI endpoint) throws Exception {
    this(kind, folder, endpoint, "scripted-model", false);
  }

  /// @param trusting whether its workspace may configure it
  AgentTrial(AgentKind kind, Path folder, URI endpoint, String model, boolean trusting)
      throws Exception {
    this.kind = kind;
    this.folder = folder;
    Map<String, String> env = System.getenv();
    Path program = AgentInstall.of(env, CacheFolder.of(env)).program(AgentPackage.of(kind.name()));
    AgentSettings.Agent direct =
        new AgentSettings.Agent(
            program.toString(),
            List.of(),
            Map.of(KEY, KEY_VALUE),
            endpoint.toString(),
            model,
            KEY,
            new Grants(
                Set.copyOf(AgentCatalog.grants(manifest(kind))),
                RequestEnv.of(List.of(VARIABLE)),
                trusting));
    models =
        new ModelGateway(InstantSource.system(), IDS)
            .open(
                new ModelGrant(
                    ModelRoute.of(kind, direct).orElseThrow(),
                    Optional.of(KEY_VALUE),
                    new CallTerms(Set.of(), true),
                    Prices.NONE,
                    RunBounds.NONE,
                    Usage.NONE));
    settings = models.settings(direct).reaching(NetworkAccess.Hosts.NONE);
  }

  record Ran(List<RunEvent> events, AgentSignal.Ended end) {
    String code() {
      return end.failure().orElseThrow().code();
    }

    String session() {
      return events.stream()
          .flatMap(e -> e instanceof RunEvent.SessionUpdated s ? Stream.of(s) : Stream.empty())
          .map(RunEvent.SessionUpdated::nativeSessionId)
          .findFirst()
          .orElseThrow();
    }

    String text() {
      StringBuilder text = new StringBuilder();
      for (RunEvent event : events) {
        if (event instanceof RunEvent.ModelDelta delta) {
          text.append(delta.text());
        }
      }
      return text.toString();
    }
  }

  static Map<String, JsonNode> resuming(String session) {
    return Map.of(
        Capabilities.SESSION_RESUME,
        JsonNodeFactory.instance.objectNode().put("selector", "id").put("id", session));
  }

  private static boolean offersApproval(AgentKind kind) {
    return manifest(kind).capabilities().contains(StandardExtensions.approvalKey(kind));
  }

  private static AgentManifest manifest(AgentKind kind) {
    return AgentCatalog.builtIn().find(kind.name()).orElseThrow();
  }

  /// What its calls of the model used, as the model gateway saw it: it may know of a call's end
  /// after the agent.
  Usage called(int calls) {
    Usage used = Usage.NONE;
    while (used.turns() < calls) {
      for (RunEvent event : models.take(Integer.MAX_VALUE)) {
        if (event instanceof RunEvent.CostRecorded cost) {
          used = used.plus(cost.usage());
        }
      }
    }
    return used;
  }

  /// Extensions with which the agent may do anything.
  static Map<String, JsonNode> permitted(AgentKind kind, Map<String, JsonNode> more) {
    Map<String, JsonNode> extensions = new HashMap<>(more);
    if (kind.equals(AgentCatalog.CODEX)) {
      extensions.put(
          AgentCatalog.CODEX_SANDBOX_MODE, JsonNodeFactory.instance.textNode("danger-full-access"));
    } else if (offersApproval(kind)) {
      extensions.put(
          StandardExtensions.approvalKey(kind), JsonNodeFactory.instance.textNode("all"));
    } else {
      extensions.put(Capabilities.EXTERNAL_SANDBOX, BooleanNode.TRUE);
    }
    return extensions;
  }

  /// Ends a run in the middle of a command that has moved a child out of its process group.
  ///
  /// @param mark a path that only this run's processes name
  Ran stoppedAtATool(String mark) throws Exception {
    AgentRun run =
        start(
            "w",
            "[[sh touch %s; setsid tail -f %s & tail -f /dev/null]]".formatted(mark, mark),
            permitted(kind, Map.of()));
    while (processes("tail\0-f\0" + mark).isEmpty()) {
      run.awaitSignal(LOOK);
    }
    run.stop();
    return finish(run);
  }

  /// Stores large outputs, and cuts secrets out.
  void keeping(ArtifactStore store, Redaction own) {
    stored = store;
    redaction = own;
  }

  /// Gives its agents what a request's `env` would.
  void having(Map<String, String> env) {
    variables = env;
  }

  /// Keeps its runs apart.
  void apart(Isolation by) {
    isolation = by;
  }

  /// What surrounds the latest run.
  Cell cell() {
    return cell;
  }

  /// A stored output of the latest run.
  String output(ArtifactStore store, String id) {
    return new String(
        store.get(new StoredOutput(latest, id).key()).orElseThrow(), StandardCharsets.UTF_8);
  }

  Path workspace(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  AgentRun start(String workspace, String prompt, Map<String, JsonNode> extensions)
      throws IOException {
    String runId = IDS.runId(InstantSource.system().instant());
    latest = new RunKey("acme", runId);
    Path space = workspace(workspace);
    cell =
        isolation.cell(new RunMark(runId, "attempt-1").value(), List.of(workspace("home"), space));
    AgentRunRequest request =
        new AgentRunRequest(
            kind,
            runId,
            "attempt-1",
            prompt,
            extensions,
            space,
            space,
            variables,
            new RunContext(new RunKey("acme", runId), "s", List.of(), Interactions.EMPTY, false));
    BackendContext context =
        new BackendContext(
            settings,
            ProcessLauncher.onThisMachine().in(cell),
            InstantSource.system(),
            new AgentSurroundings(
                Map.of("PATH", System.getenv("PATH")),
                Optional.of(models.token()),
                workspace("home")),
            BackendContext.Sessions.NONE,
            new BackendContext.Output(
                EventShaper.of(stored, latest, "attempt-1", space, redaction), Optional.empty()));
    return switch (AgentGateway.onClassPath().run(request, context)) {
      case AgentGateway.Result.Started(AgentRun run) -> run;
      case AgentGateway.Result.Refused(Problem problem) ->
          AgentRun.failed(new Failure(problem.code().code(), Category.CALLER, problem.detail()));
    };
  }

  Ran run(String workspace, String prompt, Map<String, JsonNode> extensions) throws Exception {
    return finish(start(workspace, prompt, extensions));
  }

  /// Decides every action of the agent the same way.
  Ran run(
      String workspace, String prompt, Map<String, JsonNode> extensions, ActionDecision decision)
      throws Exception {
    AgentRun run = start(workspace, prompt, extensions);
    return finish(run, question -> run.deliver(decided(question, decision)));
  }

  static Ran finish(AgentRun run) throws InterruptedException {
    return finish(
        run,
        question -> {
          throw new AssertionError(question);
        });
  }

  private static Ran finish(AgentRun run, Consumer<Question> asked) throws InterruptedException {
    List<RunEvent> events = new ArrayList<>();
    while (true) {
      for (AgentSignal signal : run.take(100)) {
        switch (signal) {
          case AgentSignal.Output output -> events.add(output.event());
          case AgentSignal.Ended end -> {
            return new Ran(events, end);
          }
          case AgentSignal.Asked question -> asked.accept(question.question());
          case AgentSignal.Took _ -> {}
        }
      }
      run.awaitSignal(LOOK);
    }
  }

  private static AgentInput.Decided decided(Question question, ActionDecision decision) {
    Instant now = InstantSource.system().instant();
    Action action = Action.of(question.asked(now), now, 1);
    return new AgentInput.Decided(
        action.resolved(new Action.Resolution(SEQUENCE, now, decision, null, "somebody")));
  }

  /// The processes of this machine whose arguments contain a text.
  static List<Long> processes(String text) throws IOException {
    return ProcessTable.pids("cmdline", says -> says.contains(text));
  }
}
