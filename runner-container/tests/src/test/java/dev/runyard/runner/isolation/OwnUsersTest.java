package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.machine.ProcessStart;
import dev.runyard.runner.process.AgentProcess;
import dev.runyard.runner.process.Termination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an attempt with a user of its own cannot do.
@Needs(Outside.OWN_USERS)
final class OwnUsersTest {
  @TempDir Path folder;

  @Test
  void keepsAnAttemptFromAnothersVariablesFilesAndProcesses() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt victim = rig.attempt();
      AgentProcess running = victim.shell("echo mine > file; echo $$; read line; echo $line");
      String pid = CellRig.line(running);
      CellRig.Attempt attacker = rig.attempt();
      AgentProcess attack =
          attacker.shell(
              """
              cat /proc/%1$s/environ /proc/%1$s/maps %2$s/file 2>/dev/null
              ls %2$s %2$s/.. /proc/%1$s/fd /proc/%1$s/cwd/ 2>/dev/null
              echo planted > %2$s/file
              kill -9 %1$s; kill -9 -1; kill -STOP %1$s
              echo done
              """
                  .formatted(pid, victim.workspace()));
      assertEquals("done", CellRig.line(attack));
      CellRig.end(attack);
      assertEquals("mine\n", Files.readString(victim.workspace().resolve("file")));
      running.stdin().write("alive\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      running.stdin().flush();
      assertEquals("alive", CellRig.line(running));
      assertNotEquals(victim.uid(), attacker.uid());
    }
  }

  /// Whoever enters the working directory must be the attempt's user by then: root would enter the
  /// folder of another attempt, and what it starts would reach that by relative paths.
  @Test
  void startsInNoFolderThatItsUserCouldNotEnter() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt victim = rig.attempt();
      assertEquals(
          "made", CellRig.line(victim.shell("mkdir -m 777 src; echo mine > src/f; echo made")));
      CellRig.Attempt attacker = rig.attempt();
      Path workspace = attacker.workspace();
      CellRig.end(attacker.shell("mkdir own; ln -s %s/src app".formatted(victim.workspace())));

      AgentProcess own = attacker.shell("pwd", workspace.resolve("own"));
      assertEquals(workspace.resolve("own").toString(), CellRig.line(own));
      CellRig.end(own);
      AgentProcess lost = attacker.shell("cat f", workspace.resolve("app"));

      assertEquals(
          new Termination.NotStarted("the working directory cannot be entered: Permission denied"),
          CellRig.end(lost).termination());
    }
  }

  /// What loads a program writes into the file that a variable names, so whoever has the file was
  /// the first to be loaded with it.
  @Test
  void hasNoVariableObeyedBeforeItIsItsUsers() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt attempt = rig.attempt();
      Path traces = Files.createDirectory(folder.resolve("traces"));
      Files.setPosixFilePermissions(traces, PosixFilePermissions.fromString("rwxrwxrwx"));
      String odd = "a b \"c\" 'd' $PATH ${PATH} \\n # é";
      Map<String, String> variables =
          Map.of("LD_DEBUG", "libs", "LD_DEBUG_OUTPUT", traces + "/trace", "ODD", odd, "EMPTY", "");
      AgentProcess agent =
          attempt.program(
              List.of(
                  "/bin/sh",
                  "-c",
                  "printenv ODD; echo $LD_DEBUG ${EMPTY-unset}; /usr/bin/env | grep -c LATE"),
              variables);
      assertEquals(odd, CellRig.line(agent));
      assertEquals("libs", CellRig.line(agent));
      assertEquals("0", CellRig.line(agent));
      CellRig.end(agent);
      try (var files = Files.list(traces)) {
        List<Path> written = files.toList();
        assertFalse(written.isEmpty());
        for (Path trace : written) {
          assertEquals(attempt.uid(), Files.getAttribute(trace, "unix:uid"));
        }
      }
    }
  }

  @Test
  void tellsThatTheKernelRefusesAProgram() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt attempt = rig.attempt();
      CellRig.end(attempt.shell("echo '#!/no/such/interpreter' > agent; chmod +x agent"));
      String agent = attempt.workspace().resolve("agent").toString();
      assertEquals(
          new Termination.NotStarted("the program cannot be executed: No such file or directory"),
          CellRig.end(attempt.program(List.of(agent), Map.of())).termination());
    }
  }

  @Test
  void keepsAnAttemptFromTheRunnersProcess() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      long runner = ProcessHandle.current().pid();
      Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
      AgentProcess attack =
          rig.attempt()
              .shell(
                  """
                  cat /proc/%1$d/environ /proc/%1$d/maps 2>/dev/null
                  ls /proc/%1$d/fd 2>/dev/null
                  kill -9 %1$d 2>/dev/null; kill -QUIT %1$d 2>/dev/null
                  %2$s %1$d VM.version 2>/dev/null | grep -i version
                  id -u; id -G; grep -E '^(Cap(Prm|Eff|Bnd|Inh|Amb)|NoNewPrivs)' /proc/self/status | cut -f 2 | sort -u | tr '\\n' ' '
                  """
                      .formatted(runner, jcmd));
      int uid = Integer.parseInt(CellRig.line(attack));
      assertTrue(uid >= AgentUser.UID_FIRST, String.valueOf(uid));
      assertEquals(Integer.toString(uid), CellRig.line(attack));
      assertEquals("0000000000000000 1 ", CellRig.line(attack));
      assertEquals(new Termination.Exited(0), CellRig.end(attack).termination());
    }
  }

  @Test
  void endsWhatLeftItsEnvironmentSessionAndParent() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt attempt = rig.attempt();
      AgentProcess agent =
          attempt.shell(
              "env -i setsid -f sleep 777; env -i setsid -f sh -c 'trap \"\" TERM; sleep 777'; echo"
                  + " away");
      assertEquals("away", CellRig.line(agent));
      assertTrue(CellRig.end(agent).leftovers().complete());
      assertFalse(UserProcesses.any(attempt.uid()));
    }
  }

  @Test
  void endsForksThatNeverStop() throws IOException {
    AttemptLimits few = AttemptLimits.of("{\"processes\": 64}", 8L << 30);
    try (CellRig rig = new CellRig(folder, IsolationLevel.UID, few)) {
      CellRig.Attempt neighbour = rig.attempt();
      AgentProcess calm = neighbour.shell("read line; echo $line");
      CellRig.Attempt attempt = rig.attempt();
      AgentProcess bomb = attempt.shell("exec perl -e '$SIG{TERM} = \"IGNORE\"; fork while 1'");
      assertEquals("process_limit_reached", CellRig.await(bomb.limit()).code());
      assertTrue(bomb.kill().complete());
      CellRig.end(bomb);
      assertFalse(UserProcesses.any(attempt.uid()));
      calm.stdin().write("calm\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      calm.stdin().flush();
      assertEquals("calm", CellRig.line(calm));
    }
  }

  @Test
  void givesAUserToOneAttemptUntilNothingOfItIsLeft() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt first = rig.attempt();
      CellRig.line(first.shell("echo here; read line"));
      CellRig.Attempt second = rig.attempt();
      CellRig.line(second.shell("echo here; read line"));
      int uid = first.uid();
      assertNotEquals(uid, second.uid());
      assertTrue(first.cell().close());
      assertFalse(UserProcesses.any(uid));
      assertTrue(first.cell().told().isEmpty());
      assertEquals(
          0, Files.getAttribute(first.workspace(), "unix:uid"), "what is kept is the runner's");
    }
  }

  @Test
  void passesOverAUserThatHasAProcessNobodyClaims() throws IOException, InterruptedException {
    int uid = AgentUser.UID_FIRST;
    Process stranger =
        new ProcessBuilder("setpriv", "--reuid=" + uid, "--clear-groups", "sleep", "777").start();
    try {
      Signals.until(() -> UserProcesses.any(uid));
      UserClaims claims =
          new UserClaims(
              Files.createDirectories(folder.resolve("claims")),
              _ -> false,
              new SharedRemains(java.util.List.of()));
      assertNotEquals(uid, claims.take("stack", "run.attempt", java.util.List.of()).uid());
    } finally {
      stranger.destroyForcibly();
      stranger.waitFor();
    }
  }

  /// The largest process of a machine without memory is the runner, unless others come first.
  @Test
  void isEndedBeforeTheRunnerWhereThereIsNoMemory() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      AgentProcess agent =
          rig.attempt()
              .shell(
                  """
                  read go; cat /proc/self/oom_score_adj
                  echo 0 >/proc/$$/oom_score_adj
                  until grep -qx 1000 /proc/$$/oom_score_adj; do sleep 0.05; done; echo again
                  """);
      agent.stdin().write('\n');
      agent.stdin().flush();
      assertEquals("1000", CellRig.line(agent));
      assertEquals("again", CellRig.line(agent));
    }
  }

  /// Where the kernel lets everybody make another name for a file of root, the file must not become
  /// the next user's with the folder.
  @Test
  void getsNoFileOfOthersWithItsFolder() throws IOException {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Path roots = Files.createFile(folder.resolve("roots"));
    AgentUser first = new AgentUser(AgentUser.UID_FIRST);
    Path own = Files.createFile(shared.resolve("own"));
    Files.createLink(shared.resolve("again"), own);
    first.own(shared);
    Files.createLink(shared.resolve("taken"), roots);
    first.takeBack(shared);
    new AgentUser(AgentUser.UID_FIRST + 1).own(shared);
    assertEquals(0, Files.getAttribute(roots, "unix:uid"));
    assertFalse(Files.exists(shared.resolve("taken")));
    assertTrue(Files.exists(own) && Files.exists(shared.resolve("again")));
  }

  @Test
  void sweepsWhatAKilledRunnerLeft() throws IOException {
    int uid = AgentUser.UID_FIRST + AgentUser.USERS_MAX - 1;
    Path claims = Files.createDirectories(folder.resolve("claims"));
    Path left = Files.createDirectories(folder.resolve("left"));
    new AgentUser(uid).own(left);
    Files.writeString(
        claims.resolve(Integer.toString(uid)),
        new UserClaim(uid, new ProcessStart(1, 1), "stack", "run.attempt", java.util.List.of(left))
            .text());
    Process orphan =
        new ProcessBuilder("setpriv", "--reuid=" + uid, "--clear-groups", "sleep", "777").start();
    Signals.until(() -> UserProcesses.any(uid));
    assertEquals(
        1, new UserClaims(claims, _ -> false, new SharedRemains(java.util.List.of())).sweep());
    assertEquals(128 + 9, CellRig.await(orphan.onExit()).exitValue());
    assertEquals(0, Files.getAttribute(left, "unix:uid"));
    try (var files = Files.list(claims)) {
      assertEquals(
          Set.of("lock", "turns"), Set.copyOf(files.map(f -> f.getFileName().toString()).toList()));
    }
  }

  @Test
  void findsAProcessThatHidesFromOthers() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt attempt = rig.attempt();
      AgentProcess agent =
          attempt.shell(
              "cp /bin/sleep own; chmod 111 own; (env -i setsid ./own 777 &); echo hidden");
      assertEquals("hidden", CellRig.line(agent));
      CellRig.end(agent);
      assertFalse(UserProcesses.any(attempt.uid()));
    }
  }
}
