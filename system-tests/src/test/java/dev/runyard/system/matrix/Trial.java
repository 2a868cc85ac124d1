package dev.runyard.system.matrix;

import java.util.List;
import java.util.stream.Stream;

/// A row of the matrix: something a run can do, and how it is tested.
///
/// @param group its heading
record Trial(Group group, String title, Course course) {

  enum Group {
    ANSWERS("Answers and tools"),
    TROUBLE("When something goes wrong"),
    CONTROL("Permissions, messages and cancelling"),
    BOUNDS("Bounds of a run"),
    SESSIONS("Sessions, after the runner was killed");

    private final String heading;

    Group(String heading) {
      this.heading = heading;
    }

    String heading() {
      return heading;
    }
  }

  /// Tests one kind of agent and returns the result.
  interface Course {
    Cell run(Stand stand) throws Exception;
  }

  /// The trials of one stack, all independent of each other.
  static List<Trial> first() {
    return Stream.of(
            AnswerTrials.all(), TroubleTrials.all(), ControlTrials.all(), BoundTrials.all())
        .flatMap(List::stream)
        .toList();
  }

  /// A successful trial, or why it failed.
  static Cell check(boolean worked, String otherwise) {
    return check(worked, false, otherwise);
  }

  /// The same, for an interactive run if only such runs can do it.
  static Cell check(boolean worked, boolean interactive, String otherwise) {
    if (!worked) {
      return new Cell.Fails(otherwise);
    }
    return interactive ? new Cell.WorksInteractive() : new Cell.Works();
  }
}
