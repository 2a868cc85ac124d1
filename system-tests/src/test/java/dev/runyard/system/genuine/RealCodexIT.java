package dev.runyard.system.genuine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.CacheFolder;
import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.agent.ModelRoute;
import dev.runyard.core.agent.Prices;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import dev.runyard.local.model.ModelExchange;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.codex.CodexCommand;
import dev.runyard.runner.backend.codex.CodexHome;
import dev.runyard.runner.backend.codex.CodexOptions;
import dev.runyard.runner.backend.codex.CodexOutcome;
import dev.runyard.runner.backend.codex.CodexRun;
import dev.runyard.runner.backend.codex.CodexSettings;
import dev.runyard.runner.backend.codex.CodexStream;
import dev.runyard.runner.backend.codex.CodexThread;
import dev.runyard.runner.gateway.AttemptEndpoint;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.gateway.ModelGrant;
import dev.runyard.runner.process.AgentProcess;
import dev.runyard.runner.process.Line;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Termination;
import dev.runyard.testkit.threads.TestPatience;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The genuine Codex, installed as the demo installs it, against the scripted model.
final class RealCodexIT {
  @TempDir private Path directory = Path.of("");

  private final Path program;
  private final List<ModelExchange> exchanges = new ArrayList<>();
  private final ScriptedModelServer server;
  private final AttemptEndpoint models;

  RealCodexIT() throws Exception {
    Map<String, String> env = System.getenv();
    program = AgentInstall.of(env, CacheFolder.of(env)).program(AgentPackage.of("codex"));
    server = ScriptedModelServer.start(0, exchanges::add);
    models =
        new ModelGateway(InstantSource.system(), new RandomIds(new SecureRandom()))
            .open(
                new ModelGrant(
                    new ModelRoute(ModelApi.RESPONSES, server.baseUrl().toString()),
                    Optional.of("not-a-secret"),
                    Set.of(),
                    Prices.NONE,
                    RunBounds.NONE,
                    Usage.NONE));
  }

  private record Ran(List<RunEvent> events, Optional<Failure> failure) {}

  @AfterEach
  void stop() {
    models.close();
    server.close();
  }

  @Test
  void carriesOutAScriptAndResumesIt() throws Exception {
    Ran first =
        run(
            "[[usage 10 1]] [[sh printf hi > note.txt]] [[usage 20 2]] [[say Written.]]",
            new SessionChoice.Fresh());
    assertEquals(Optional.empty(), first.failure());
    assertEquals("hi", Files.readString(directory.resolve("workspace/note.txt")));
    assertTrue(first.events().contains(new RunEvent.ModelDelta("Written.")));
    assertEquals(new Usage(30, 0, 3, 0, null), used(first));
    assertEquals(new Usage(30, 0, 0, 3, 0, null, 2), called(2));
    String thread =
        assertInstanceOf(RunEvent.SessionUpdated.class, first.events().getFirst())
            .nativeSessionId();

    Ran second = run("[[say Again.]] [[usage 5 4]]", new SessionChoice.ById(thread, false));
    assertEquals(new RunEvent.SessionUpdated(thread), second.events().getFirst());
    assertEquals(new Usage(5, 0, 4, 0, null), used(second));
    assertEquals(
        List.of(ModelExchange.Kind.TOOL_CALL, ModelExchange.Kind.TEXT, ModelExchange.Kind.TEXT),
        exchanges.stream().map(ModelExchange::kind).toList());
  }

  @Test
  void hidesTheKeyFromTheCommandsItRuns() throws Exception {
    Ran ran =
        run(
            "[[sh env | grep -c '^MODEL_KEY=' > count.txt; env | grep '^RUNYARD_RUN=']] [[say x]]",
            new SessionChoice.Fresh());
    assertEquals("0\n", Files.readString(directory.resolve("workspace/count.txt")));
    assertTrue(ran.events().toString().contains("RUNYARD_RUN=run.attempt"), ran::toString);
  }

  @Test
  void failsWithAMeaning() throws Exception {
    Ran ran = run("[[fail insufficient_quota]]", new SessionChoice.Fresh());
    assertEquals(Optional.of("quota_exhausted"), ran.failure().map(Failure::code));
  }

  private Ran run(String prompt, SessionChoice resume) throws Exception {
    CodexSettings settings =
        new CodexSettings(
            program.toString(),
            List.of(),
            Map.of("MODEL_KEY", models.token()),
            Optional.of(URI.create(models.address())),
            "MODEL_KEY",
            Optional.of("gpt-5.5"));
    Path workspace = Files.createDirectories(directory.resolve("workspace"));
    CodexHome home = CodexHome.prepare(directory.resolve("home"), settings, workspace);
    CodexThread thread = home.thread(resume);
    CodexRun run =
        new CodexRun(CodexOptions.of(Map.of(), workspace), thread, prompt, workspace, Map.of());
    AgentProcess process =
        assertInstanceOf(
            AgentProcess.class,
            ProcessLauncher.onThisMachine()
                .start(
                    CodexCommand.of(settings, home, run, Map.of("PATH", "/usr/bin:/bin")),
                    new RunMark("run", "attempt")));
    CodexStream stream = new CodexStream("", null, thread);
    List<RunEvent> events = new ArrayList<>();
    for (var line = process.stdout().next(); line.isPresent(); line = process.stdout().next()) {
      if (line.get() instanceof Line.Text text) {
        events.addAll(stream.line(text.text()));
      }
    }
    Termination end = process.end().get(TestPatience.LONG_SECONDS, TimeUnit.SECONDS).termination();
    CodexOutcome outcome = CodexOutcome.of(stream, exit(end), process.stderrTail());
    events.addAll(outcome.last());
    return new Ran(events, outcome.failure());
  }

  private static Attempt.Exit exit(Termination end) {
    return switch (end) {
      case Termination.Exited(int code) -> new Attempt.Exit(code, null);
      case Termination.Signalled(int number) -> new Attempt.Exit(null, number);
      case Termination.NotStarted(String reason) -> throw new AssertionError(reason);
    };
  }

  /// What its calls used, as the model gateway saw it: it may know of a call's end after Codex.
  private Usage called(int calls) {
    Usage used = Usage.NONE;
    while (used.turns() < calls) {
      for (RunEvent event : models.take(Integer.MAX_VALUE)) {
        used = used.plus(assertInstanceOf(RunEvent.CostRecorded.class, event).usage());
      }
    }
    return used;
  }

  private static Usage used(Ran ran) {
    return assertInstanceOf(RunEvent.CostRecorded.class, ran.events().getLast()).usage();
  }
}
