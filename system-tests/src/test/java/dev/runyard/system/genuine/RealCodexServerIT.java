package dev.runyard.system.genuine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.cli.CacheFolder;
import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.usage.Usage;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.AgentSurroundings;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.RunContext;
import dev.runyard.runner.backend.codex.CodexBackend;
import dev.runyard.runner.process.ProcessLauncher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The genuine Codex as an interactive program, against the scripted model.
final class RealCodexServerIT {
  private static final String ASKING = "'agent_api.exec.non_interactive':false";

  @TempDir private Path directory = Path.of("");

  private final Path program;
  private final ScriptedModelServer server;
  private String runId = "";

  RealCodexServerIT() throws Exception {
    Map<String, String> env = System.getenv();
    program = AgentInstall.of(env, CacheFolder.of(env)).program(AgentPackage.of("codex"));
    server = ScriptedModelServer.start(0, _ -> {});
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void asksBeforeItActs() throws Exception {
    CodexSpoken codex =
        start("[[sh touch made; echo hi]] [[write n.txt|hello]] [[say Done.]]", ASKING);

    Question command = codex.asked();
    assertTrue(command.prompt().contains("touch made"), command.prompt());
    assertFalse(Files.exists(workspace().resolve("made")));
    codex.decide(command, ActionDecision.APPROVE);
    Question files = codex.asked();
    assertEquals("Codex asks to change files: add n.txt", files.prompt());
    codex.decide(files, ActionDecision.APPROVE);

    assertEquals(Optional.empty(), codex.end().failure());
    assertTrue(Files.exists(workspace().resolve("made")));
    assertEquals("hello\n", Files.readString(workspace().resolve("n.txt")));
    assertEquals("Done.", codex.text());
    assertEquals(2, codex.all(RunEvent.ToolResult.class).size());
  }

  @ParameterizedTest
  @EnumSource(names = {"DENY", "TIMED_OUT"})
  void leavesUndoneWhatNobodyPermits(ActionDecision decision) throws Exception {
    CodexSpoken codex = start("[[sh touch made]] [[say Left.]]", ASKING);

    codex.decide(codex.asked(), decision);

    assertEquals(Optional.empty(), codex.end().failure());
    assertFalse(Files.exists(workspace().resolve("made")));
    assertEquals("Left.", codex.text());
    assertEquals(1, codex.all(RunEvent.ToolFailed.class).size());
  }

  /// Codex may hear of the end of the tool before it has read the message: it has read it by the
  /// end of the next one, whose permission comes after the message.
  @Test
  void takesAMessageWhileAToolRuns() throws Exception {
    CodexSpoken codex =
        start(
            "[[sh touch made; until test -e go; do sleep 0.1; done]] [[sh true]] [[say Unheard.]]",
            ASKING);
    codex.decide(codex.asked(), ActionDecision.APPROVE);
    until(workspace().resolve("made"));

    codex.say("[[say Heard.]]");
    codex.tookWhatWasSaid();
    Files.createFile(workspace().resolve("go"));

    assertEquals(Optional.empty(), codex.endApproving().failure());
    assertEquals("Heard.", codex.text());
  }

  @Test
  void leavesNoProcessWhenItIsStoppedWhileAToolRuns() throws Exception {
    CodexSpoken codex = start("[[sh touch made; tail -f /dev/null]] [[say x]]", ASKING);
    codex.decide(codex.asked(), ActionDecision.APPROVE);
    until(workspace().resolve("made"));

    codex.run().stop();
    AgentSignal.Ended end = codex.end();

    assertEquals(0, end.processesLeft());
    assertEquals(List.of(), marked());
  }

  @Test
  void reportsTheTextAsItIsWrittenAndWhatItUsed() throws Exception {
    CodexSpoken codex = start("[[usage 10 2]] [[sh true]] [[usage 20 3]] [[slow 5 50]]", ASKING);
    codex.decide(codex.asked(), ActionDecision.APPROVE);

    assertEquals(Optional.empty(), codex.end().failure());
    assertEquals(5, codex.all(RunEvent.ModelDelta.class).size());
    assertEquals(new Usage(30, 0, 0, 5, 0, null, 2), codex.used());
  }

  @Test
  void continuesAThreadAndACopyOfIt() throws Exception {
    CodexSpoken first = start("[[usage 10 1]] [[say One.]]", ASKING);
    assertEquals(Optional.empty(), first.end().failure());
    String thread = session(first);
    String byId = "{'selector':'id','id':'" + thread + "'}";

    CodexSpoken alone =
        start("[[usage 20 2]] [[say Two.]]", "'agent_api.session.resume.v1':" + byId);
    assertEquals(Optional.empty(), alone.end().failure());
    CodexSpoken resumed =
        start("[[usage 30 3]] [[say Three.]]", ASKING + ",'agent_api.session.resume.v1':" + byId);
    assertEquals(Optional.empty(), resumed.end().failure());
    CodexSpoken copy = start("[[usage 40 4]] [[say Four.]]", "'agent_api.session.fork.v1':" + byId);
    assertEquals(Optional.empty(), copy.end().failure());

    assertEquals(thread, session(alone));
    assertEquals(thread, session(resumed));
    assertNotEquals(thread, session(copy));
    assertEquals(new Usage(20, 0, 2, 0, null), alone.used());
    assertEquals(new Usage(30, 0, 0, 3, 0, null, 1), resumed.used());
    assertEquals(new Usage(40, 0, 0, 4, 0, null, 1), copy.used());
  }

  @Test
  void failsWithAMeaning() throws Exception {
    CodexSpoken codex = start("[[fail insufficient_quota]]", ASKING);

    assertEquals(Optional.of("quota_exhausted"), codex.end().failure().map(Failure::code));
  }

  private CodexSpoken start(String prompt, String extensions) throws IOException {
    Map<String, JsonNode> values =
        new ObjectMapper()
            .readValue(("{" + extensions + "}").replace('\'', '"'), new TypeReference<>() {});
    runId = new RandomIds(new SecureRandom()).runId(InstantSource.system().instant());
    AgentRunRequest request =
        new AgentRunRequest(
            AgentCatalog.CODEX,
            runId,
            "attempt",
            prompt,
            values,
            workspace(),
            workspace(),
            Map.of(),
            new RunContext(new RunKey("local", runId), "s", List.of(), Interactions.EMPTY, false));
    AgentSettings.Agent settings =
        new AgentSettings.Agent(
            program.toString(),
            List.of(),
            Map.of(),
            server.baseUrl().toString(),
            "gpt-5.5",
            "MODEL_KEY");
    return new CodexSpoken(
        new CodexBackend()
            .start(
                request,
                new BackendContext(
                    settings,
                    ProcessLauncher.onThisMachine(),
                    InstantSource.system(),
                    new AgentSurroundings(
                        Map.of("PATH", "/usr/bin:/bin"),
                        Optional.of("not-a-secret"),
                        Files.createDirectories(directory.resolve("home"))),
                    BackendContext.Sessions.NONE,
                    BackendContext.Output.BARE)));
  }

  private Path workspace() throws IOException {
    return Files.createDirectories(directory.resolve("workspace")).toRealPath();
  }

  private static String session(CodexSpoken codex) {
    return codex.all(RunEvent.SessionUpdated.class).getFirst().nativeSessionId();
  }

  private static void until(Path file) throws InterruptedException {
    while (!Files.exists(file)) {
      Thread.onSpinWait();
    }
  }

  /// The processes with a mark of this test.
  private List<String> marked() {
    return ProcessHandle.allProcesses()
        .filter(process -> environment(process.pid()).contains("RUNYARD_RUN=" + runId + ".attempt"))
        .map(process -> process.info().commandLine().orElse("?"))
        .toList();
  }

  private static String environment(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      return "";
    }
  }
}
