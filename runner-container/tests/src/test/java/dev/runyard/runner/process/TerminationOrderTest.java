package dev.runyard.runner.process;

import static dev.runyard.runner.process.ScriptedProcesses.MARK;
import static dev.runyard.runner.process.ScriptedProcesses.RUNNER;
import static dev.runyard.runner.process.ScriptedProcesses.RUNNER_SHELL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.limits.Limits;
import dev.runyard.runner.process.ProcessEntry.State;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TerminationOrderTest {

  private static final Duration GRACE = Duration.ofSeconds(10);

  private final ScriptedProcesses processes = new ScriptedProcesses();

  @Test
  void neitherWaitsNorSignalsWhenThereIsNothing() {
    processes.add(7, 1, 7, 7, "other.1");

    assertEquals(Reaping.NOTHING_FOUND, processes.tree().terminate(GRACE));
    assertEquals(List.of(), processes.sent());
    assertEquals(Duration.ZERO, processes.elapsed());
  }

  @Test
  void signalsAGroupOnceAndStopsWaitingWhenItIsGone() {
    processes.add(7, RUNNER, 7, 7, MARK);
    processes.add(8, 7, 7, 7, MARK);
    processes.add(9, 7, 9, 9, MARK);
    processes.dieOn(Signal.TERM);

    assertEquals(new Reaping(3, false, List.of()), processes.tree().terminate(GRACE));
    assertEquals(List.of("TERM -7", "TERM -9"), processes.sent());
    assertEquals(Duration.ZERO, processes.elapsed());
  }

  @Test
  void killsAfterTheWholeGraceAndNoSooner() {
    processes.add(7, RUNNER, 7, 7, MARK);
    processes.react(
        (pid, signal) -> {
          if (signal == Signal.KILL) {
            assertEquals(GRACE, processes.elapsed());
            processes.remove(pid);
          }
        });

    assertEquals(new Reaping(1, true, List.of()), processes.tree().terminate(GRACE));
    assertEquals(List.of("TERM -7", "KILL -7"), processes.sent());
  }

  @Test
  void continuesStoppedProcessesSoThatTheyCanStop() {
    processes.replace(new ProcessEntry(7, RUNNER, 7, 7, 7, State.STOPPED, MARK));
    processes.dieOn(Signal.CONT);

    assertFalse(processes.tree().terminate(GRACE).forced());
    assertEquals(List.of("TERM -7", "CONT -7"), processes.sent());
  }

  @Test
  void killsEachSuccessorOfAProcessThatForksWhenKilled() {
    processes.add(200, RUNNER, 200, 200, MARK);
    processes.react(
        (pid, signal) -> {
          if (signal == Signal.KILL) {
            processes.remove(pid);
            if (pid < 240) {
              processes.add(pid + 1, 1, pid + 1, pid + 1, MARK);
            }
          }
        });

    assertEquals(new Reaping(1, true, List.of()), processes.tree().terminate(Duration.ZERO));
    assertEquals("KILL -240", processes.sent().getLast());
  }

  @Test
  void waitsForWhatTakesLongToDie() {
    processes.add(7, RUNNER, 7, 7, MARK);
    processes.react(
        (pid, signal) -> {
          if (processes.elapsed().compareTo(Duration.ofSeconds(55)) >= 0) {
            processes.remove(pid);
          }
        });

    assertEquals(new Reaping(1, true, List.of()), processes.tree().terminate(Duration.ZERO));
    assertEquals("KILL -7", processes.sent().getLast());
  }

  @Test
  void reportsWhatNothingKillsAfterABoundedTime() {
    processes.add(7, RUNNER, 7, 7, MARK);

    assertEquals(new Reaping(1, true, List.of(7L)), processes.tree().terminate(GRACE));
    Duration spent = processes.elapsed().minus(GRACE).minusSeconds(ProcessTree.KILL_SECONDS_MAX);
    assertTrue(!spent.isNegative() && spent.toMillis() <= 50, spent.toString());
  }

  @Test
  void givesWhatNothingKillsItsTimeOnce() {
    processes.add(7, RUNNER, 7, 7, MARK);
    ProcessTree tree = processes.tree();

    assertEquals(List.of(7L), tree.kill().left());
    Duration first = processes.elapsed();
    assertEquals(List.of(7L), tree.kill().left());

    assertTrue(processes.elapsed().minus(first).toMillis() <= 50, processes.elapsed().toString());
    assertEquals("KILL -7", processes.sent().getLast());
  }

  @Test
  void waitsForWhatADeadRunnerLeftNoLongerThanALeaseAllows() {
    processes.add(7, RUNNER, 7, 7, MARK);

    assertEquals(
        new Reaping(1, true, List.of(7L)), ProcessTree.sweep(processes, processes, MARK::equals));
    assertTrue(
        processes.elapsed().toSeconds() <= Limits.HEARTBEAT_SECONDS,
        processes.elapsed().toString());
  }

  @Test
  void givesUpOnAProcessThatForksForEver() {
    processes.add(200, RUNNER, 200, 200, MARK);
    processes.react(
        (pid, signal) -> {
          if (signal == Signal.KILL) {
            processes.remove(pid);
            processes.add(pid + 1, 1, pid + 1, pid + 1, MARK);
          }
        });

    Reaping reaping = processes.tree().terminate(Duration.ZERO);

    assertEquals(List.of(200L + ProcessTree.KILL_ROUNDS_MAX), reaping.left());
    assertEquals(Duration.ZERO, processes.elapsed());
  }

  @Test
  void followsAProcessThatLeavesItsGroupBeforeItIsSignalled() {
    processes.add(7, RUNNER, 7, 7, MARK);
    processes.add(8, 7, 7, 7, MARK);
    processes.afterNextSnapshot(() -> processes.add(8, 7, 8, 8, MARK));
    processes.dieOn(Signal.TERM);

    assertEquals(new Reaping(2, false, List.of()), processes.tree().terminate(GRACE));
    assertEquals(List.of("TERM -7", "TERM 8"), processes.sent());
  }

  @Test
  void followsAProcessThatLeavesItsGroupWhileThatIsSignalled() {
    processes.add(7, RUNNER, 7, 7, MARK);
    processes.add(8, 7, 7, 7, MARK);
    processes.beforeNextGroupSignal(() -> processes.add(8, 7, 8, 8, MARK));
    processes.dieOn(Signal.TERM);

    assertEquals(new Reaping(2, false, List.of()), processes.tree().terminate(GRACE));
    assertEquals(List.of("TERM -7", "TERM 8"), processes.sent());
    assertEquals(Duration.ZERO, processes.elapsed());
  }

  /// It may be what another one needs to end well.
  @Test
  void doesNotAskWhatStartedAfterTheOthersWereAsked() {
    processes.add(7, RUNNER, 7, 7, MARK);
    processes.beforeNextGroupSignal(() -> processes.add(8, 7, 8, 8, MARK));
    processes.dieOn(Signal.KILL);

    assertEquals(new Reaping(1, true, List.of()), processes.tree().terminate(GRACE));
    assertEquals(List.of("TERM -7", "KILL -7", "KILL -8"), processes.sent());
  }

  @Test
  void findsAProcessStartedAfterTheFirstScan() {
    processes.afterNextSnapshot(() -> processes.add(7, 1, 7, 7, MARK));
    processes.dieOn(Signal.TERM);

    assertEquals(new Reaping(1, false, List.of()), processes.tree().terminate(GRACE));
  }

  /// Its mark cannot be read at that moment, and its parent may be gone.
  @Test
  void looksAgainForAProcessBetweenTwoPrograms() {
    processes.add(7, RUNNER, 7, 7, MARK);
    processes.replace(changing(8, 1));
    processes.afterNextSnapshot(() -> processes.add(8, 1, 8, 8, MARK));
    processes.dieOn(Signal.TERM);

    assertEquals(new Reaping(2, false, List.of()), processes.tree().terminate(GRACE));
    assertEquals(List.of("TERM -7", "TERM -8"), processes.sent());
  }

  @Test
  void waitsOnceForAStrangerThatStaysBetweenTwoPrograms() {
    processes.replace(changing(8, 1));
    ProcessTree tree = processes.tree();

    assertEquals(Reaping.NOTHING_FOUND, tree.terminate(GRACE));
    assertEquals(Duration.ofMillis(ProcessTree.CHANGING_MILLIS_MAX), processes.elapsed());
    assertEquals(List.of(), tree.live());
    assertEquals(Duration.ofMillis(ProcessTree.CHANGING_MILLIS_MAX), processes.elapsed());
    assertEquals(List.of(), processes.sent());
  }

  @Test
  void endsAMemberBetweenTwoProgramsAtOnce() {
    processes.add(7, RUNNER, 7, 7, MARK);
    processes.replace(changing(8, 7));
    processes.dieOn(Signal.TERM);

    assertEquals(new Reaping(2, false, List.of()), processes.tree().terminate(GRACE));
    assertEquals(Duration.ZERO, processes.elapsed());
  }

  @Test
  void neverSignalsTheRunnerOrItsAncestors() {
    processes.replace(
        new ProcessEntry(RUNNER_SHELL, 1, RUNNER_SHELL, RUNNER_SHELL, 1, State.RUNNING, MARK));
    processes.replace(
        new ProcessEntry(RUNNER, RUNNER_SHELL, RUNNER, RUNNER_SHELL, 2, State.RUNNING, MARK));

    assertEquals(Reaping.NOTHING_FOUND, processes.tree().terminate(GRACE));
    assertEquals(List.of(), processes.sent());
  }

  @Test
  void signalsARootOneByOneUntilItHasLeftTheRunnersGroup() {
    processes.add(101, RUNNER, RUNNER, RUNNER_SHELL, MARK);
    processes.add(102, RUNNER, RUNNER, RUNNER_SHELL, "");
    processes.dieOn(Signal.TERM);

    assertEquals(1, processes.tree().terminate(GRACE).found());
    assertEquals(List.of("TERM 101"), processes.sent());
  }

  /// The sibling is another runner of the same stack, beside a root that has not left the session.
  @Test
  void signalsNobodyWhereItDoesNotSeeItself() {
    processes.add(101, RUNNER, RUNNER, RUNNER_SHELL, MARK);
    processes.add(60, RUNNER_SHELL, 60, RUNNER_SHELL, "");
    processes.remove(RUNNER_SHELL);
    processes.remove(RUNNER);
    processes.dieOn(Signal.TERM);

    assertThrows(IllegalStateException.class, () -> processes.tree().terminate(GRACE));
    assertEquals(List.of(), processes.sent());
  }

  @Test
  void sparesAStrangerThatTookAMembersNumber() {
    processes.add(7, RUNNER, 7, 7, MARK);
    processes.afterNextSnapshot(
        () -> processes.replace(new ProcessEntry(7, 1, 7, 7, 999, State.RUNNING, "")));

    Reaping reaping = processes.tree().terminate(GRACE);

    assertEquals(List.of(), processes.sent());
    assertTrue(reaping.complete());
  }

  @Test
  void sparesAStrangerThatTookASessionsNumber() {
    ProcessTree tree = processes.tree();
    processes.add(7, RUNNER, 7, 7, MARK);
    assertEquals(List.of(7L), tree.live());

    processes.replace(new ProcessEntry(7, 1, 7, 7, 999, State.RUNNING, ""));
    processes.add(8, 7, 7, 7, "");

    assertEquals(List.of(), tree.live());
  }

  @Test
  void sparesAnotherRunInASessionItKnows() {
    ProcessTree tree = processes.tree();
    processes.add(7, RUNNER, 7, 7, MARK);
    processes.add(8, 1, 7, 7, "");
    assertEquals(List.of(7L, 8L), tree.live());

    processes.remove(7);
    processes.add(9, 1, 7, 7, "other.1");

    assertEquals(List.of(8L), tree.live());
  }

  @Test
  void doesNotCountTheDead() {
    processes.replace(new ProcessEntry(7, RUNNER, 7, 7, 7, State.DEAD, ""));
    ProcessTree tree = processes.tree();
    tree.adopt(7);

    assertEquals(Reaping.NOTHING_FOUND, tree.terminate(GRACE));
  }

  @Test
  void anInterruptCutsTheGraceShortAndIsKept() {
    processes.add(7, RUNNER, 7, 7, MARK);
    processes.dieOn(Signal.KILL);
    Thread.currentThread().interrupt();

    Reaping reaping = processes.tree().terminate(GRACE);

    assertTrue(Thread.interrupted());
    assertEquals(new Reaping(1, true, List.of()), reaping);
    assertEquals(Duration.ofMillis(1), processes.elapsed());
  }

  private static ProcessEntry changing(int pid, int parent) {
    return new ProcessEntry(pid, parent, pid, pid, pid, State.CHANGING, "");
  }
}
