package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.gates.Repository;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What docs/conformance.md claims. A protocol's section is a table of id, requirement and what
/// shows it.
final class ConformanceTest {
  private static final Pattern NAMED =
      Pattern.compile("`([A-Z]\\w*(?:Test|IT|Contract))\\.(\\w+)`");
  private static final Pattern ANNOTATION = Pattern.compile("@(?:Test|ParameterizedTest)\\b");
  private static final String REASON = "not: ";

  @Test
  void everyRequirementHasATestOrAReason() {
    List<String> bare = new ArrayList<>();
    for (Row row : rows()) {
      if (!NAMED.matcher(row.shownBy()).find() && !row.shownBy().startsWith(REASON)) {
        bare.add(row.id());
      }
    }
    assertEquals(List.of(), bare);
  }

  @Test
  void everyTestThatIsNamedIsOne() {
    List<String> missing = new ArrayList<>();
    for (Row row : rows()) {
      NAMED
          .matcher(row.shownBy())
          .results()
          .filter(named -> !isTest(named))
          .forEach(named -> missing.add(row.id() + ": " + named.group()));
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void noRequirementIsThereTwice() {
    Set<String> seen = new HashSet<>();
    assertEquals(
        List.of(),
        rows().stream().filter(row -> !seen.add(row.section() + row.id())).map(Row::id).toList());
  }

  @Test
  void theUniversalAgentApiIsWhole() {
    List<String> ids =
        Stream.of(
                range("A", 9),
                range("B", 5),
                range("C", 5),
                range("D", 9),
                range("E", 7),
                Stream.of("F"),
                range("F", 3),
                range("G", 8),
                Stream.of("H"),
                range("I", 4),
                range("J", 1))
            .flatMap(part -> part)
            .toList();

    assertEquals(
        ids,
        rows().stream()
            .filter(row -> row.section().equals("Universal Agent API"))
            .map(Row::id)
            .toList());
  }

  @ParameterizedTest
  @CsvSource({"Agent Communication Protocol, 24", "Agent Protocol, 22"})
  void theProtocolsAreWhole(String protocol, int requirements) {
    assertEquals(
        IntStream.rangeClosed(1, requirements).mapToObj(String::valueOf).toList(),
        rows().stream().filter(row -> row.section().equals(protocol)).map(Row::id).toList());
  }

  private record Row(String section, String id, String shownBy) {}

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    String section = "";
    for (String line :
        Repository.read(Repository.HOME.resolve("docs/conformance.md")).lines().toList()) {
      if (line.startsWith("## ")) {
        section = line.substring(3);
      } else if (line.startsWith("| ") && !line.startsWith("| id |")) {
        String[] cells = line.split("\\|", -1);
        rows.add(new Row(section, cells[1].strip(), cells[3].strip()));
      }
    }
    assertFalse(rows.isEmpty());
    return rows;
  }

  private static boolean isTest(MatchResult named) {
    return Repository.sources().stream()
        .filter(source -> source.endsWith(named.group(1) + ".java"))
        .anyMatch(source -> declaresTest(Repository.read(source), named.group(2)));
  }

  /// A method and its annotations stand between blank lines.
  private static boolean declaresTest(String source, String method) {
    int at = source.indexOf("  void " + method + "(");
    int from = source.lastIndexOf("\n\n", Math.max(at, 0));
    return at >= 0 && ANNOTATION.matcher(source.substring(Math.max(from, 0), at)).find();
  }

  private static Stream<String> range(String letter, int last) {
    return IntStream.rangeClosed(1, last).mapToObj(number -> letter + number);
  }
}
