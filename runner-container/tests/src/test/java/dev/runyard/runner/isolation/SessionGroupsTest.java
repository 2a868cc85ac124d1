package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.process.AgentProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SessionGroupsTest {
  @TempDir Path folder;

  @Test
  void shareAmongManySessionsWhatOneWouldGet() {
    assertEquals(SessionGroups.NICE_FIRST, SessionGroups.nice(1));
    assertEquals(14, SessionGroups.nice(2));
    assertEquals(SessionGroups.NICE_MAX, SessionGroups.nice(8));
    assertEquals(SessionGroups.NICE_MAX, SessionGroups.nice(1_000));
  }

  /// A process is in the runner's session, and has its attempt's user, for a moment before it has a
  /// session of its own. A runner that gave way for that stayed behind those it looks after.
  @Test
  void ofTheRunnerItselfNeverGiveWay() throws IOException {
    Path own = group("self");
    String before = Files.exists(own) ? Files.readString(own) : "";

    int pid = Math.toIntExact(ProcessHandle.current().pid());
    SessionGroups.giveWay(UserProcesses.owner(pid), Map.of(SystemCalls.session(0), pid));

    assertEquals(before, Files.exists(own) ? Files.readString(own) : "");
  }

  /// The attempt's second session leaves its first one, its parent and its environment.
  @Test
  @Needs(Outside.OWN_USERS)
  void ofAnAttemptGiveWay() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt attempt = rig.attempt();
      AgentProcess agent =
          attempt.shell("env -i setsid -f sh -c 'echo $$; sleep 777'; echo $$; read line");
      Path one = group(CellRig.line(agent));
      Path other = group(CellRig.line(agent));
      UserProcesses.Taken taken =
          UserProcesses.taken(
              Objects.requireNonNull(
                  UserProcesses.of(Set.of(attempt.uid())).get(attempt.uid()), "no process"),
              _ -> {});
      assertEquals(2, taken.sessions().size(), taken::toString);

      SessionGroups.giveWay(attempt.uid(), taken.sessions());

      String wanted = "nice " + SessionGroups.nice(2);
      for (Path group : Set.of(one, other)) {
        if (Files.exists(group)) {
          Signals.until(
              () -> {
                assertTrue(!agent.end().isDone(), "it lives until its group has given way");
                return read(group).strip().endsWith(wanted);
              });
        }
      }
    }
  }

  /// The numbers are those of the one process: the machine's go round while a test waits.
  @Test
  @Needs(Outside.OWN_USERS)
  void areFoundOnceTheyAreOpen() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt attempt = rig.attempt();
      AgentProcess agent = attempt.shell("env -i setsid -f sh -c 'echo $$; sleep 777'; read line");
      int opened = Integer.parseInt(CellRig.line(agent));
      Set<Integer> users = Set.of(attempt.uid());
      NewSessions sessions = new NewSessions(opened - 1);
      assertEquals(Map.of(), sessions.look(users, opened - 1));

      Map<Integer, Map<Integer, Integer>> found = sessions.look(users, opened);

      assertEquals(Map.of(attempt.uid(), Map.of(opened, opened)), found);
      assertEquals(Map.of(), sessions.look(Set.of(), opened));
      assertEquals(Map.of(), sessions.look(users, opened), "it was looked at twice");
    }
  }

  private static Path group(String process) {
    return Path.of("/proc", process, "autogroup");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
