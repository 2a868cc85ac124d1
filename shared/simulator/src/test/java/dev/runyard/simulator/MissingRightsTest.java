package dev.runyard.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each right is taken away once from each role that needs it, with what it is needed for in the
/// history: a call is refused, and the oracles know whatever follows.
final class MissingRightsTest {
  /// Histories that are tried until one needs the right.
  private static final int HISTORIES_MAX = 6;

  /// Histories that need a right which few do.
  private static final Map<Right, Long> KNOWN =
      Map.of(
          Right.BUCKET_GET, 26L,
          Right.BUCKET_DELETE, 61L,
          Right.HELD_ADD, 7L,
          Right.QUEUE_SEND, 4L);

  @Test
  void isExplainedWhateverRightIsMissing() {
    List<MissingRight> all = MissingRight.all(SimulatedSystem.BEGIN);
    List<String> wrong =
        all.parallelStream().flatMap(right -> played(right).stream()).sorted().toList();
    System.out.printf("simulator: %d rights taken away%n", all.size());
    assertEquals(List.of(), wrong);
  }

  /// Few histories lack a right of `project`, and a record is dropped in fewer still.
  @Test
  void aRefusedRecordThatIsDroppedIsMissed() {
    List<Violation> wrong =
        MissingRight.all(SimulatedSystem.BEGIN).stream()
            .filter(lacks -> lacks.roles().contains(Role.PROJECT))
            .filter(lacks -> lacks.right() == Right.MODELS_SAVE)
            .flatMap(lacks -> dropped(lacks).stream())
            .toList();
    assertTrue(wrong.stream().anyMatch(of -> of.invariant().equals("I5")), wrong::toString);
  }

  private static List<Violation> dropped(MissingRight right) {
    return Simulation.lacking(1, right, Defect.REFUSED_RECORD_DROPPED).violations();
  }

  /// What is wrong with the histories in which the right is missing, until a call is refused.
  private static List<String> played(MissingRight right) {
    List<String> wrong = new ArrayList<>();
    Optional<Simulation.Lacked> refused =
        LongStream.concat(
                Stream.ofNullable(KNOWN.get(right.right())).mapToLong(Long::longValue),
                LongStream.rangeClosed(1, HISTORIES_MAX))
            .mapToObj(seed -> played(seed, right, wrong))
            .filter(Simulation.Lacked::refused)
            .findFirst();
    if (refused.isEmpty()) {
      wrong.add("nobody needed " + right);
    }
    return wrong;
  }

  private static Simulation.Lacked played(long seed, MissingRight right, List<String> wrong) {
    Simulation.Lacked lacked = Simulation.lacking(seed, right, Defect.NONE);
    lacked
        .violations()
        .forEach(violation -> wrong.add("%s, seed %d: %s".formatted(right, seed, violation)));
    return lacked;
  }
}
