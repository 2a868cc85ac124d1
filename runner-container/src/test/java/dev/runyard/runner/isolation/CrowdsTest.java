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

  private static final int STATE = 3;
  private static final int POLICY = 41;
  private static final String USUAL = "0";
  private static final int CROWD = Crowds.RUNNING_PER_PROCESSOR_MAX * PROCESSORS + 1;

  /// A shell that says its number and waits, with this many processes that never rest.
  private static final String LOOPS =
      "for i in $(seq %d); do sh -c 'while :; do :; done' & done; echo $$; read line";

  @TempDir Path folder;

  /// Its shell, which waits, stays as it was; so does the neighbour, who is below that number.
  @Test
  @Needs(Outside.OWN_USERS)
  void giveWayWhollyAndNobodyElseDoes() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt crowded = rig.attempt();
      AgentProcess crowd = crowded.shell(LOOPS.formatted(CROWD));
      String shell = CellRig.line(crowd);
      CellRig.Attempt neighbour = rig.attempt();
      CellRig.line(neighbour.shell(LOOPS.formatted(CROWD - 1)));
      Set<Integer> users = Set.of(crowded.uid(), neighbour.uid());
      Crowds crowds = new Crowds(PROCESSORS);
      while (!field(shell, STATE).equals("S")) {
        assertTrue(!crowd.end().isDone(), "it lives until it waits");
      }

      while (idle(crowded.uid()).size() < CROWD) {
        assertTrue(!crowd.end().isDone(), "it lives until all of it gives way");
        crowds.look(users, CROWD);
      }

      assertEquals(Set.of(), idle(neighbour.uid()));
      assertEquals(USUAL, field(shell, POLICY));
      assertEquals(Map.of(), crowds.find(users), "nobody is found twice");
    }
  }

  @Test
  void tellTheLoadOfTheMachine() {
    Load load = Load.now();
    assertTrue(load.running() > 0 && load.threads() > 1, load::toString);
    assertTrue(load.newest() > 1, load::toString);
  }

  /// A field of a process's line, of which the second, its name, has no space here.
  private static String field(String process, int number) throws IOException {
    return Files.readString(Path.of("/proc", process, "stat")).split(" ", -1)[number - 1];
  }

  private static Set<Integer> idle(int uid) {
    Set<Integer> idle = new HashSet<>();
    UserProcesses.running(Set.of(uid)).getOrDefault(uid, List.of()).stream()
        .filter(UserProcesses.Running::idle)
        .forEach(running -> idle.add(running.thread()));
    return idle;
  }
}
