package dev.runyard.system.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.system.SystemStack;
import dev.runyard.system.matrix.Stand.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// `kill -9` of the runner of one run of a genuine CLI, at one point of the run. The runner has no
/// other runs.
record Kill(Stand stand, SystemStack stack, Point point) {
  private static final long LATER_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  enum Point {
    PROCESS_STARTED(false),
    MODEL_ASKED(false),
    CONVERSATION_KNOWN(false),
    FIRST_CALL(false),
    FIRST_TOOL_RUNS(false),
    FIRST_RESULT(false),
    FIRST_RESULT_LATER(false),
    SECOND_CALL(false),
    SECOND_TOOL_RUNS(true),
    SECOND_TOOL_RUNS_LATER(false);

    private final boolean everyRun;

    Point(boolean everyRun) {
      this.everyRun = everyRun;
    }

    /// Whether each build kills here.
    boolean everyRun() {
      return everyRun;
    }
  }

  /// Kills, and checks what is left. Returns what was done.
  String run() throws Exception {
    Path first = stand.mark(point + "-first");
    Path second = stand.mark(point + "-second");
    String mark = Stand.unique();
    String id =
        stand.submit(
            "%s [[sh touch %s]] [[sh setsid tail -f /dev/null & touch %s; tail -f /dev/null]]"
                .formatted(mark, first, second));
    stack.mayFail(id, "runner_lost");
    await(id, mark, first, second);
    ProcessHandle runner = runner(id);
    List<JsonNode> before = stand.events(id);
    assertTrue(runner.destroyForcibly());
    Ran ran = stand.ended(id);
    String what = stand.subject().kind() + " killed at " + point;
    assertEquals("lost", ran.view().path("phase").asText(), what);
    assertEquals("runner_lost", ran.code(), what);
    assertEquals(before, ran.events().subList(0, before.size()), what);
    SystemStack.awaitAgentsEnd(id);
    assertEquals(List.of(), SystemStack.agents(id), what);
    return what + ": " + ran.events().size() + " events, nothing left";
  }

  private void await(String id, String mark, Path first, Path second) throws Exception {
    switch (point) {
      case PROCESS_STARTED -> stand.api().until(id, "process.started");
      case MODEL_ASKED -> assertTrue(stand.awaitModel(id, mark));
      case CONVERSATION_KNOWN -> stand.api().until(id, "session.updated");
      case FIRST_CALL -> stand.api().until(id, "tool.started");
      case FIRST_TOOL_RUNS -> exists(first);
      case FIRST_RESULT -> stand.api().until(id, "tool.result");
      case FIRST_RESULT_LATER -> {
        stand.api().until(id, "tool.result");
        later();
      }
      case SECOND_CALL -> {
        while (calls(id) < 2) {
          Stand.aMoment();
        }
      }
      case SECOND_TOOL_RUNS -> exists(second);
      case SECOND_TOOL_RUNS_LATER -> {
        exists(second);
        later();
      }
    }
  }

  private static void exists(Path mark) {
    while (!Files.exists(mark)) {
      Stand.aMoment();
    }
  }

  private static void later() {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < LATER_NANOS) {
      Stand.aMoment();
    }
  }

  private long calls(String id) throws Exception {
    return stand.events(id).stream()
        .filter(event -> event.path("type").asText().equals("tool.started"))
        .count();
  }

  /// The runner above the run's agent.
  private ProcessHandle runner(String id) throws Exception {
    while (true) {
      List<ProcessHandle> runners = stack.runners();
      for (long agent : SystemStack.agents(id)) {
        Optional<ProcessHandle> up = ProcessHandle.of(agent);
        while (up.isPresent() && !runners.contains(up.get())) {
          up = up.get().parent();
        }
        if (up.isPresent()) {
          return up.get();
        }
      }
      Stand.aMoment();
    }
  }
}
