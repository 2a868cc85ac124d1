package dev.runyard.system.genuine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.demo.Folders;
import dev.runyard.core.agent.AgentCli;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.session.FolderMemory;
import dev.runyard.system.KeyForms;
import dev.runyard.system.genuine.AgentTrial.Ran;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Genuine CLIs that print a secret of their run in many ways, and the operator's key, which the
/// model would say to them. Nothing of either reaches an event, a stored output or a stored
/// session.
final class CanaryIT {
  /// The gateway keeps the operator's key even from the CLI, but knows of no other secret.
  private static final String SECRET = "secret-of-the-run-0123456789-abcdef";

  private static final int SESSION_BYTES_MAX = 64 * 1024 * 1024;
  private static final List<String> PRINTED =
      List.of(
          "env",
          "cat /proc/self/environ",
          "env | base64",
          "printf %s $" + AgentTrial.VARIABLE + " | base64",
          "for before in '' x xx; do printf %s $before KEY | base64; done",
          "printf %s KEY | od -An -tx1 | tr -d ' \\n'",
          "printf %s KEY | od -An -tx1 | tr ' ' % | tr -d '\\n'",
          "head -c 1000000 /dev/zero | tr '\\0' x; echo KEY; env",
          "for i in $(seq 1 20000); do echo line $i KEY; done");

  private final ScriptedModelServer model;
  private final Path folder;

  CanaryIT() throws Exception {
    model = ScriptedModelServer.start(0, _ -> {});
    folder = TriedClis.folder("canary-");
  }

  @AfterEach
  void stop() throws Exception {
    model.close();
    Folders.delete(folder);
  }

  @ParameterizedTest
  @MethodSource("dev.runyard.system.genuine.TriedClis#ofThisBuild")
  void printsNoKey(AgentCli cli) throws Exception {
    AgentKind kind = cli.agents().getFirst().kind();
    boolean origin = cli.trial().path("endpoint").asText().equals("origin");
    AgentTrial trial =
        new AgentTrial(
            kind,
            folder,
            origin ? model.origin() : model.baseUrl(),
            cli.trial().path("model").asText("scripted-model"),
            false);
    MemoryArtifactStore stored = new MemoryArtifactStore();
    Redaction redaction = new Redaction();
    redaction.know("THE_KEY", AgentTrial.KEY_VALUE);
    redaction.know("THE_SECRET", SECRET);
    trial.keeping(stored, redaction);
    trial.having(Map.of(AgentTrial.VARIABLE, SECRET));
    StringBuilder prompt = new StringBuilder();
    for (String command : PRINTED) {
      prompt.append("[[sh %s]] ".formatted(command.replace("KEY", SECRET)));
    }
    prompt.append("[[slow %s%s 1]]".formatted(AgentTrial.KEY_VALUE, SECRET));

    Ran ran = trial.run("w", prompt.toString(), AgentTrial.permitted(kind, Map.of()));

    assertEquals(Optional.empty(), ran.end().failure());
    clean(ran.events().toString());
    assertTrue(ran.events().stream().anyMatch(RunEvent.OutputRedacted.class::isInstance));
    for (RunEvent event : ran.events()) {
      if (event instanceof RunEvent.OutputSpilled output) {
        clean(trial.output(stored, output.outputRef()));
      }
    }
    AgentBackend backend = AgentGateway.onClassPath().backend(kind).orElseThrow();
    FolderMemory memory =
        new FolderMemory(trial.workspace("home"), backend.sessionState(), redaction.files());
    try (ZipInputStream zip =
        new ZipInputStream(new ByteArrayInputStream(memory.pack(SESSION_BYTES_MAX)))) {
      int files = 0;
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files++;
        clean(new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
      assertTrue(files > 0 || backend.sessionState().isEmpty());
    }
  }

  private static void clean(String text) {
    KeyForms.assertNone(AgentTrial.KEY_VALUE, text);
    KeyForms.assertNone(SECRET, text);
  }
}
