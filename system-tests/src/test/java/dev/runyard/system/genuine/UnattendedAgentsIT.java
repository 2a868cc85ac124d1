package dev.runyard.system.genuine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.demo.Folders;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentCli;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.event.RunEvent;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.system.genuine.AgentTrial.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// Genuine CLIs as users of their own where no process can make a sandbox: the whole machine has no
/// namespaces meanwhile, so that no other test may run, whose agents make some.
@Isolated
@Needs(Outside.OWN_USERS)
final class UnattendedAgentsIT {
  private static final Path MAX_USER_NAMESPACES = Path.of("/proc/sys/user/max_user_namespaces");

  private ScriptedModelServer model;
  private Path folder;

  @BeforeEach
  void begin() throws Exception {
    model = ScriptedModelServer.start(0, _ -> {});
    folder = TriedClis.folder("unattended-");
  }

  @AfterEach
  void stop() throws Exception {
    model.close();
    Folders.delete(folder);
  }

  /// As on Fargate, where Codex cannot make the sandbox in which it runs commands: it is told that
  /// it is in one.
  @Test
  @Needs(Outside.KERNEL_SETTINGS)
  void codexWorksUnattendedWhereItCannotMakeItsSandbox() throws Exception {
    withoutNamespaces(
        () -> {
          AgentTrial trial = TriedClis.apart(cli(AgentCatalog.CODEX), folder, model);

          Ran ran = trial.run("w", "[[sh echo made > a.txt]] [[say Done]]", Map.of());

          assertEquals(Optional.empty(), ran.end().failure());
          assertEquals("made", written(trial, "a.txt"));
          assertTrue(
              ran.events().stream().anyMatch(RunEvent.RuntimeWarning.class::isInstance),
              "it says that its own sandbox is off");
          assertTrue(trial.cell().close());
        });
  }

  /// Claude Code refuses to work without asking where it thinks that nothing is around it.
  @Test
  @Needs(Outside.KERNEL_SETTINGS)
  void claudeCodeWorksThereWhereTheOperatorLetsIt() throws Exception {
    AgentKind claude = new AgentKind("claude_code");
    withoutNamespaces(
        () -> {
          AgentTrial trial = TriedClis.apart(cli(claude), folder, model);

          Ran ran =
              trial.run(
                  "w",
                  "[[sh echo made > a.txt]] [[say Done]]",
                  AgentTrial.permitted(claude, Map.of()));

          assertEquals(Optional.empty(), ran.end().failure());
          assertEquals("made", written(trial, "a.txt"));
          assertTrue(trial.cell().close());
        });
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void withoutNamespaces(Work work) throws Exception {
    String before = Files.readString(MAX_USER_NAMESPACES);
    Files.writeString(MAX_USER_NAMESPACES, "0");
    try {
      work.run();
    } finally {
      Files.writeString(MAX_USER_NAMESPACES, before);
    }
  }

  private static AgentCli cli(AgentKind kind) {
    return AgentCli.all().stream()
        .filter(cli -> cli.agents().getFirst().kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static String written(AgentTrial trial, String file) throws IOException {
    return Files.readString(trial.workspace("w").resolve(file)).strip();
  }
}
