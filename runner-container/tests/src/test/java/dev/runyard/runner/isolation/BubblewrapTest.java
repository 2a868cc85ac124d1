package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.process.AgentProcess;
import dev.runyard.runner.process.Termination;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an attempt in namespaces of its own cannot do.
final class BubblewrapTest {
  @TempDir Path folder;

  @Test
  void showsAnAttemptItsOwnFoldersAndNoOthers() throws IOException {
    Path home = Path.of("/w/homes/a");
    Path workspace = Path.of("/w/workspaces/a");
    BubblewrapLevel level =
        new BubblewrapLevel(
            "",
            Path.of("/usr/bin/bwrap"),
            new Hiding(Path.of("/w"), List.of()),
            List.of(Path.of("/usr/bin/codex"), Path.of("/tmp/mine/agent")),
            Optional.empty(),
            CellRig.LIMITS,
            new LimitWatch(CellRig.LIMITS));
    Cell.Entrance entrance =
        new BubblewrapCell(level, List.of(home, workspace))
            .enter(workspace.resolve("in"), Map.of());
    String argv = String.join(" ", entrance.inner());
    assertTrue(argv.contains("--ro-bind / / "), argv);
    assertTrue(argv.contains("--unshare-user --unshare-pid "), argv);
    assertTrue(
        argv.endsWith(
            "--tmpfs /w --ro-bind /tmp/mine/agent /tmp/mine/agent --bind /w/homes/a /w/homes/a"
                + " --bind /w/workspaces/a /w/workspaces/a --chdir /w/workspaces/a/in --"),
        argv);
    assertEquals(Map.of("TMPDIR", "/tmp"), entrance.variables().own());
  }

  /// The runner's files are its user's too, and no folder that cannot be written keeps anybody from
  /// connecting to a socket in it.
  @Test
  @Needs(Outside.BUBBLEWRAP)
  void hidesWhatOpensTheStackAndSocketsOfThePerson() throws IOException {
    // An attempt has a /tmp of its own, and the project may be in the machine's.
    Path home = Files.createTempDirectory(Path.of("/var/tmp"), "home-");
    Path tokens = Files.createDirectory(home.resolve("tokens"));
    Files.writeString(tokens.resolve("7070"), "token");
    Path secrets = Files.writeString(home.resolve("secrets.json"), "secret");
    Path read = Files.writeString(home.resolve("read"), "read");
    Path socket = home.resolve("agent.sock");
    try (ServerSocketChannel agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        CellRig rig = new CellRig(folder, IsolationLevel.BUBBLEWRAP, List.of(tokens, secrets))) {
      agent.bind(UnixDomainSocketAddress.of(socket));
      AgentProcess attack =
          rig.attempt()
              .shell(
                  """
                  cat %s; echo
                  cat %s/7070 %s 2>/dev/null
                  [ -S %s ] && echo connects
                  ls -A /run/user /run/dbus /run/docker.sock 2>/dev/null
                  echo hidden
                  """
                      .formatted(read, tokens, secrets, socket));
      assertEquals("read", CellRig.line(attack));
      assertEquals("hidden", CellRig.line(attack));
    } finally {
      for (Path left : List.of(tokens.resolve("7070"), tokens, secrets, read, socket, home)) {
        Files.deleteIfExists(left);
      }
    }
  }

  @Test
  @Needs(Outside.BUBBLEWRAP)
  void keepsAnAttemptFromOthersAndEndsAllOfIt() throws IOException {
    try (CellRig rig = new CellRig(folder, IsolationLevel.BUBBLEWRAP, CellRig.LIMITS)) {
      CellRig.Attempt victim = rig.attempt();
      AgentProcess running = victim.shell("echo mine > file; echo here; read line");
      assertEquals("here", CellRig.line(running));
      AgentProcess attack =
          rig.attempt()
              .shell(
                  """
                  cat %1$s/file /proc/%2$d/environ 2>/dev/null
                  echo planted 2>/dev/null > %1$s/file || echo refused
                  kill -9 -1
                  env -i setsid -f sleep 777
                  echo mine > own; cat own
                  """
                      .formatted(victim.workspace(), ProcessHandle.current().pid()));
      assertEquals("refused", CellRig.line(attack));
      assertEquals("mine", CellRig.line(attack));
      assertEquals(new Termination.Exited(0), CellRig.end(attack).termination());
      assertEquals("mine\n", Files.readString(victim.workspace().resolve("file")));
      assertFalse(running.tree().live().isEmpty());
      assertTrue(running.kill().complete());
    }
  }
}
