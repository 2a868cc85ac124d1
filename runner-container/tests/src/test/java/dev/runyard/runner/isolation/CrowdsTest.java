package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.process.AgentProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CrowdsTest {
  /// As on a machine with one processor, where four are a crowd.
  private static final int PROCESSORS = 1;

  private static final int POLICY = 41;
  private static final String USUAL = "0";
  private static final int CROWD = Crowds.RUNNING_PER_PROCESSOR_MAX * PROCESSORS + 1;

  /// An agent that never rests, with this many tools that do not either and have said that what is
  /// decided about them is not for what they start. Once all of them are at it, it says its number.
  private static final String LOOPS =
      """
      for i in $(seq %1$d); do
        chrt --reset-on-fork --other 0 sh -c 'echo >> begun; while :; do :; done' &
      done
      until test "$(wc -l 2>/dev/null < begun)" = %1$d; do sleep 0.1; done
      echo $$
      while :; do :; done
      """;

  @TempDir Path folder;

  /// But for the agent itself, which is one of few; so does no neighbour who is below that number.
  @Test
  @Needs(Outside.OWN_USERS)
  void giveWayAndNobodyElseDoes() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt crowded = rig.attempt();
      AgentProcess crowd = crowded.shell(LOOPS.formatted(CROWD));
      String agent = CellRig.line(crowd);
      CellRig.Attempt neighbour = rig.attempt();
      CellRig.line(neighbour.shell(LOOPS.formatted(CROWD - 2)));
      Set<Integer> users = Set.of(crowded.uid(), neighbour.uid());
      Crowds crowds = new Crowds(PROCESSORS);

      while (idle(crowded.uid()).size() < CROWD) {
        assertTrue(!crowd.end().isDone(), "it lives until all of it gives way");
        crowds.look(users, CROWD);
      }

      assertEquals(Set.of(), idle(neighbour.uid()));
      assertEquals(USUAL, policy(agent));
      assertEquals(Map.of(), crowds.find(users), "nobody is found twice");
    }
  }

  @Test
  void tellTheLoadOfTheMachine() {
    Load load = Load.now(new Load(0, 0, 0));
    assertTrue(load.running() > 0 && load.threads() > 1, load::toString);
    assertTrue(load.newest() > 1, load::toString);
  }

  /// From a process's line, whose second field, the name, has no space here.
  private static String policy(String process) throws IOException {
    return Files.readString(Path.of("/proc", process, "stat")).split(" ", -1)[POLICY - 1];
  }

  private static Set<Integer> idle(int uid) {
    Set<Integer> idle = new HashSet<>();
    UserProcesses.running(Set.of(uid)).getOrDefault(uid, List.of()).stream()
        .filter(UserProcesses.Running::idle)
        .forEach(running -> idle.add(running.thread()));
    return idle;
  }
}
