package dev.runyard.system.matrix;

import dev.runyard.system.StackFolder;
import dev.runyard.system.SystemStack;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Runs all trials with some kinds of agents, on one store and with one scripted model. The trials
/// of sessions follow after the stack was killed, with its runner.
final class Matrix {
  private static final int AT_ONCE = 4;
  private static final List<String> UNKNOWN_OPTION = List.of("--no-such-option");

  /// One runner with room for all runs.
  private static final Map<String, String> PARAMETERS =
      Map.of("RunnersMax", "1", "RunsPerRunner", "16", "AwaitGraceSeconds", "3");

  private Matrix() {}

  /// The cells of each trial, by kind.
  static SequencedMap<Trial, Map<String, Cell>> of(List<Subject> subjects) throws Exception {
    SequencedMap<Trial, Map<String, Cell>> cells = new LinkedHashMap<>();
    try (Bed bed = new Bed(subjects);
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      StackFolder folder = bed.stackFolder(PARAMETERS, List.of());
      try (SystemStack stack = SystemStack.start(folder)) {
        Trial begin = new Trial(Trial.Group.SESSIONS, "begins", SessionTrials::begin);
        List<Trial> first = new ArrayList<>(Trial.first());
        first.add(begin);
        cells.putAll(run(first, bed.stands(stack), threads));
        cells.remove(begin);
        stack.kill();
      }
      try (SystemStack stack = SystemStack.start(folder)) {
        cells.putAll(run(SessionTrials.all(), bed.stands(stack), threads));
      }
      StackFolder odd = bed.stackFolder(PARAMETERS, UNKNOWN_OPTION);
      odd.mayFail().putAll(folder.mayFail());
      try (SystemStack stack = SystemStack.start(odd)) {
        cells.putAll(run(List.of(TroubleTrials.badOption()), bed.stands(stack), threads));
      }
    }
    return cells;
  }

  private static SequencedMap<Trial, Map<String, Cell>> run(
      List<Trial> trials, List<Stand> stands, ExecutorService threads)
      throws InterruptedException, ExecutionException {
    Map<Trial, Map<String, Future<Cell>>> begun = new LinkedHashMap<>();
    for (Trial trial : trials) {
      Map<String, Future<Cell>> row = new LinkedHashMap<>();
      for (Stand stand : stands) {
        row.put(stand.subject().kind(), threads.submit(() -> cell(trial, stand)));
      }
      begun.put(trial, row);
    }
    SequencedMap<Trial, Map<String, Cell>> cells = new LinkedHashMap<>();
    for (Map.Entry<Trial, Map<String, Future<Cell>>> row : begun.entrySet()) {
      Map<String, Cell> ended = new LinkedHashMap<>();
      for (Map.Entry<String, Future<Cell>> cell : row.getValue().entrySet()) {
        ended.put(cell.getKey(), cell.getValue().get());
      }
      cells.put(row.getKey(), ended);
    }
    return cells;
  }

  private static Cell cell(Trial trial, Stand stand) {
    long begin = System.nanoTime();
    Cell cell;
    try {
      cell = trial.course().run(stand);
    } catch (Exception | AssertionError e) {
      String message = String.valueOf(e.getMessage());
      cell = new Cell.Fails(message.lines().findFirst().orElse(""));
    }
    System.out.printf(
        "%s, %s: %s (%.1f s)%n",
        stand.subject().kind(), trial.title(), cell.text(), (System.nanoTime() - begin) / 1e9);
    return cell;
  }
}
