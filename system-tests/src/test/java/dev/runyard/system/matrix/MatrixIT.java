package dev.runyard.system.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// The genuine CLIs do what docs/capability-matrix.md says.
///
/// It tests the kinds that `runyard.matrix` names, separated by commas, or `all`; by default those
/// of every build. With `runyard.matrix.write` it first writes their columns.
@Order(0)
final class MatrixIT {
  private static final String CHOICE = System.getProperty("runyard.matrix", "");
  private static final boolean WRITE = Boolean.getBoolean("runyard.matrix.write");
  private static final Path PAGE =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home")))
          .resolve("docs/capability-matrix.md");

  @Test
  void agentsDoWhatThePageSays() throws Exception {
    List<Subject> subjects = Subject.all().stream().filter(MatrixIT::chosen).toList();
    SequencedMap<Trial, Map<String, Cell>> cells = Matrix.of(subjects);
    MatrixPage found = MatrixPage.of(subjects, cells);
    if (WRITE) {
      MatrixPage before = MatrixPage.read(Files.readString(PAGE));
      Files.writeString(PAGE, before.with(found).text(cells.keySet()));
    }
    MatrixPage page = MatrixPage.read(Files.readString(PAGE));
    assertEquals(page.only(found.kinds()), found.only(found.kinds()));
  }

  private static boolean chosen(Subject subject) {
    return switch (CHOICE) {
      case "" -> subject.everyRun();
      case "all" -> true;
      case String names -> Arrays.asList(names.split(",")).contains(subject.kind());
    };
  }
}
