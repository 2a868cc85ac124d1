package dev.runyard.runner.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.needs.Program;
import dev.runyard.runner.isolation.AgentUser;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProcessTreeTest {

  private static final Termination TERMINATED = new Termination.Signalled(15);
  private static final Termination KILLED = new Termination.Signalled(9);

  @TempDir private Path directory;
  private AgentRig rig;

  @BeforeEach
  void open() {
    rig = new AgentRig(directory);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void asksBeforeItKills() throws IOException {
    AgentProcess agent =
        rig.shell("trap 'echo bye; exit 7' TERM; sh -c 'echo up; exec sleep 1000' & wait");
    AgentRig.line(agent);

    assertEquals(new Reaping(2, false, List.of()), agent.terminate());
    assertEquals("bye", AgentRig.line(agent));
    assertEquals(new Termination.Exited(7), AgentRig.end(agent).termination());
  }

  @Test
  void killsWithoutAskingWhereToldTo() throws IOException {
    AgentProcess agent = rig.shell("trap 'echo bye; exit 7' TERM; sleep 1000 & echo $!; wait");
    String child = AgentRig.line(agent);

    assertEquals(new Reaping(2, true, List.of()), agent.kill());
    assertEquals(KILLED, AgentRig.end(agent).termination());
    assertFalse(rig.alive(child));
    assertEquals(Reaping.NOTHING_FOUND, agent.kill());
  }

  /// The first process of an attempt that has a user becomes that user while it starts.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Needs(Outside.OWN_USERS)
  void endsWhatIsNotYetItsUsers(boolean kill) throws Exception {
    Process starting = new ProcessBuilder("sleep", "777").start();
    AgentUser user = new AgentUser(AgentUser.UID_FIRST + AgentUser.USERS_MAX - 2);
    ProcessTree tree = ProcessTree.of(user, Pacer.system());
    tree.adopt(Math.toIntExact(starting.pid()));

    Reaping reaping = kill ? tree.kill() : tree.terminate(Duration.ofSeconds(9));

    assertEquals(new Reaping(1, kill, List.of()), reaping);
    assertEquals(kill ? 128 + 9 : 128 + 15, starting.onExit().get().exitValue());
    assertEquals(Reaping.NOTHING_FOUND, tree.terminate(Duration.ZERO));
  }

  @Test
  void cutsAGraceShortToKill() throws Exception {
    AgentProcess agent =
        rig.shell(
            "trap 'echo asked' TERM; (trap '' TERM; exec sleep 1000) & echo up; while :; do wait;"
                + " done");
    AgentRig.line(agent);
    CompletableFuture<Reaping> asked =
        CompletableFuture.supplyAsync(() -> agent.terminate(Duration.ofDays(1)));
    assertEquals("asked", AgentRig.line(agent));

    assertTrue(agent.kill().complete());

    assertEquals(
        new Reaping(2, true, List.of()), asked.get(TestPatience.LONG_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void killsWhatIgnoresTheRequest() throws IOException {
    AgentProcess agent = rig.shell("trap '' TERM; sleep 1000 & echo $!; wait");
    String child = AgentRig.line(agent);

    Reaping reaping = agent.terminate(Duration.ofMillis(50));

    assertEquals(new Reaping(2, true, List.of()), reaping);
    assertEquals(KILLED, AgentRig.end(agent).termination());
    assertFalse(rig.alive(child));
  }

  /// Each script prints the id of a process that has left its tree in some way. Most wait without
  /// becoming another program, whose environment cannot be read at that moment.
  @ParameterizedTest
  @ValueSource(
      strings = {
        // in another session, its parent still running
        "setsid sh -c 'mkfifo $$; echo $$; : < $$' & wait",
        // in another session, orphaned
        "(setsid sh -c 'mkfifo $$; echo $$; : < $$' &); read wait",
        // without the mark, its parent still running
        "env -i sh -c 'mkfifo $$; echo $$; : < $$' & wait",
        // without the mark, in another session, its parent still running
        "setsid env -i sh -c 'mkfifo $$; echo $$; : < $$' & wait",
        // without the mark, orphaned, in the agent's session
        "(env -i sh -c 'mkfifo $$; echo $$; : < $$' &); read wait",
        // in another session, its parent still running, and becoming another program
        "setsid sh -c 'echo $$; exec sleep 1000' & wait",
        // in another session, orphaned, and becoming another program
        "(setsid sh -c 'echo $$; exec sleep 1000' &); read wait",
        // stopped
        "sleep 1000 & kill -STOP $!; echo $!; wait",
        // child of an agent that dropped the mark itself
        "exec env -i sh -c 'sleep 1000 & echo $!; wait'"
      })
  void findsProcessesWhereverTheyHaveGone(String script) throws IOException {
    AgentProcess agent = rig.shell(script);
    String strayed = AgentRig.line(agent);
    assertTrue(agent.tree().live().contains(Long.parseLong(strayed)));

    Reaping reaping = agent.terminate();

    assertEquals(List.of(), reaping.left());
    assertFalse(reaping.forced(), "all of them heed the request");
    assertEquals(TERMINATED, AgentRig.end(agent).termination());
    assertFalse(rig.alive(strayed));
    assertEquals(List.of(), agent.tree().live());
  }

  /// Once its launcher is gone, such a process has no mark, no parent and an unknown session,
  /// unless a scan saw it before.
  @Test
  void remembersTheSessionsItHasSeen() throws IOException {
    AgentProcess agent = rig.shell("setsid env -i sh -c 'sleep 1000 & echo $!; wait' & read wait");
    String strayed = AgentRig.line(agent);
    int shell = new LinuxProcessTable().find(Integer.parseInt(strayed)).orElseThrow().parent();
    assertTrue(agent.tree().live().contains(Long.parseLong(strayed)));

    new LinuxProcessTable().signal(shell, Signal.KILL);
    new LinuxProcessTable().signal((int) agent.pid(), Signal.KILL);

    assertEquals(List.of(), AgentRig.end(agent).leftovers().left());
    assertFalse(rig.alive(strayed));
  }

  @Test
  void endsWhatIsLeftWhenTheAgentExits() throws IOException {
    AgentProcess agent =
        rig.shell(
            "setsid sh -c 'mkfifo held; : > begun; : < held' & sleep 1000 & left=$!;"
                + " until [ -e begun ]; do :; done; echo $left; exit 5");
    String left = AgentRig.line(agent);

    ProcessEnd end = AgentRig.end(agent);

    assertEquals(new Termination.Exited(5), end.termination());
    assertEquals(new Reaping(2, false, List.of()), end.leftovers());
    assertFalse(rig.alive(left));
    assertEquals(List.of(), AgentRig.lines(agent));
  }

  /// Output after the agent's exit is neither waited for nor kept.
  @Test
  void endsWhatGoesOnPrintingAfterTheAgentExits() throws IOException {
    AgentProcess agent = rig.shell("setsid yes & setsid yes >&2 & exit 0");

    ProcessEnd end = AgentRig.end(agent);

    assertEquals(new Termination.Exited(0), end.termination());
    assertEquals(List.of(), end.leftovers().left());
  }

  @Test
  void outrunsProcessesThatForkWhileTheyAreKilled() throws IOException {
    Path hop =
        Program.write(
            directory.resolve("hop"),
            """
            #!/bin/sh
            trap '' TERM
            test "$1" = 0 || setsid "$0" $(($1 - 1)) &
            echo "$1"
            sleep 1000
            """);
    RunMark mark = AgentRig.freshMark();
    AgentProcess agent = rig.start(rig.command(hop.toString(), "400"), mark);
    for (int hops = 0; hops < 30; hops++) {
      AgentRig.line(agent);
    }

    Reaping reaping = agent.terminate(Duration.ZERO);

    assertTrue(reaping.forced());
    assertEquals(List.of(), reaping.left());
    assertEquals(KILLED, AgentRig.end(agent).termination());
    assertEquals(List.of(), rig.marked(mark));
  }

  @Test
  void sparesOtherRuns() throws IOException {
    AgentProcess mine = rig.shell("sleep 1000 & echo $!; wait");
    AgentProcess other = rig.shell("sleep 1000 & echo $!; wait");
    AgentRig.line(mine);
    String spared = AgentRig.line(other);

    assertTrue(mine.terminate().complete());

    assertTrue(rig.alive(spared));
    assertEquals(2, other.tree().live().size());
  }

  @Test
  void maySafelyBeEndedByManyAtOnce() throws IOException {
    AgentProcess agent = rig.shell("sleep 1000 & echo $!; wait");
    AgentRig.line(agent);

    List<CompletableFuture<Reaping>> attempts =
        List.of(
            CompletableFuture.supplyAsync(agent::terminate),
            CompletableFuture.supplyAsync(agent::terminate),
            CompletableFuture.supplyAsync(agent::terminate));

    int found = attempts.stream().mapToInt(attempt -> attempt.join().found()).sum();
    assertTrue(found >= 2, found + " found");
    assertEquals(TERMINATED, AgentRig.end(agent).termination());
    assertEquals(Reaping.NOTHING_FOUND, agent.terminate());
  }

  @Test
  void sweepsTheRunsOfDeadRunnersOnly() throws IOException {
    RunMark dead = AgentRig.freshMark();
    RunMark live = AgentRig.freshMark();
    AgentCommand command = rig.command("sh", "-c", "setsid sleep 1000 & echo $!; wait");
    AgentProcess orphan = rig.start(command, dead);
    AgentProcess spared = rig.start(command, live);
    String orphaned = AgentRig.line(orphan);
    AgentRig.line(spared);

    Reaping reaping =
        ProcessTree.sweep(mark -> mark.startsWith(dead.runId() + "."), new AgentRig.Waiting());

    assertEquals(new Reaping(2, false, List.of()), reaping);
    assertFalse(rig.alive(orphaned));
    assertEquals(List.of(), rig.marked(dead));
    assertEquals(2, spared.tree().live().size());
  }
}
