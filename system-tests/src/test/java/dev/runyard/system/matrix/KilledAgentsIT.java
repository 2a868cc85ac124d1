package dev.runyard.system.matrix;

import dev.runyard.system.StackFolder;
import dev.runyard.system.SystemStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// `kill -9` of the runner while a genuine CLI works: no process of the agent remains, no event is
/// lost, and the run ends as lost. `-Drunyard.kill=all` kills at every point instead of one.
@Order(5)
final class KilledAgentsIT {
  private static final boolean ALL = System.getProperty("runyard.kill", "").equals("all");
  private static final int AT_ONCE = 9;

  @Test
  void leavesNothingAndLosesNothing() throws Exception {
    List<Subject> subjects = Subject.all().stream().filter(Subject::everyRun).toList();
    String runners = Integer.toString(subjects.size() * Kill.Point.values().length);
    try (Bed bed = new Bed(subjects);
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      StackFolder folder =
          bed.stackFolder(Map.of("RunnersMax", runners, "RunsPerRunner", "1"), List.of());
      try (SystemStack stack = SystemStack.emulated(folder)) {
        List<Callable<String>> kills = new ArrayList<>();
        for (Kill.Point point : Kill.Point.values()) {
          if (ALL || point.everyRun()) {
            bed.stands(stack).forEach(stand -> kills.add(new Kill(stand, stack, point)::run));
          }
        }
        for (Future<String> kill : threads.invokeAll(kills)) {
          System.out.println(kill.get());
        }
      }
    }
  }
}
