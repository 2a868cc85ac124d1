package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.runtime.CommandNames;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What docs/conformance.md claims. A protocol's section is a table of id, requirement and what
/// shows it.
@Reads("docs/conformance.md")
final class ConformanceTest {
  private static final Pattern NAMED =
      Pattern.compile("`([A-Z]\\w*(?:Test|IT|Contract))\\.(\\w+)`");
  private static final Pattern ANNOTATION = Pattern.compile("@(?:Test|ParameterizedTest|Gate)\\b");
  private static final String REASON = "not: ";

  /// The ids that a protocol's section has, in their order.
  private static final Map<String, List<String>> WHOLE =
      Map.of(
          "Universal Agent API",
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
              .toList(),
          "Agent Communication Protocol",
          range("", 24).toList(),
          "Agent Protocol",
          range("", 22).toList(),
          "Agent Runtime",
          range("RT", 46).toList(),
          "Agent Runtime commands",
          CommandNames.all());

  @Gate
  @Breach(replace = "| `AcpApiTest.answersAPing` |", by = "| |", named = "Protocol 1")
  @Breach(replace = "| `AcpApiTest.answersAPing` |", by = "| not: |", named = "Protocol 1")
  void everyRequirementHasATestOrAReason(Repository repository) {
    assertEquals(
        List.of(),
        rows(repository).stream()
            .filter(row -> !NAMED.matcher(row.shownBy()).find())
            .filter(row -> !row.shownBy().startsWith(REASON))
            .map(Row::name)
            .toList());
  }

  @Gate
  @Breach(replace = "AcpApiTest.answersAPing", by = "AcpApiTest.pings", named = "AcpApiTest.pings")
  @Breach(
      in = "functions/src/test/java/dev/runyard/functions/api/AcpApiTest.java",
      replace = "@Test\n  void answersAPing",
      by = "void answersAPing",
      named = "AcpApiTest.answersAPing")
  void everyTestThatIsNamedIsOne(Repository repository) {
    List<String> missing = new ArrayList<>();
    for (Row row : rows(repository)) {
      NAMED
          .matcher(row.shownBy())
          .results()
          .filter(named -> !isTest(repository, named))
          .forEach(named -> missing.add(row.name() + ": " + named.group()));
    }
    assertEquals(List.of(), missing);
  }

  @Gate
  @Breach(replace = "| 2 | `GET /agents`", by = "| 1 | `GET /agents`", named = "Protocol 1")
  void noRequirementIsThereTwice(Repository repository) {
    Set<String> seen = new HashSet<>();
    assertEquals(
        List.of(),
        rows(repository).stream().map(Row::name).filter(name -> !seen.add(name)).toList());
  }

  @Gate
  @Breach(replace = "| A2 |", by = "| A12 |", named = "A12")
  @Breach(replace = "| 2 | `GET /agents`", by = "| 25 | `GET /agents`", named = "25")
  @Breach(replace = "| get_tool_inventory |", by = "| get_tools |", named = "get_tools")
  @Breach(replace = "## Agent Protocol", by = "## Another Protocol", named = "Another Protocol")
  void theProtocolsAreWhole(Repository repository) {
    assertEquals(
        WHOLE,
        rows(repository).stream()
            .collect(
                Collectors.groupingBy(
                    Row::section, Collectors.mapping(Row::id, Collectors.toList()))));
  }

  private record Row(String section, String id, String shownBy) {
    String name() {
      return section + " " + id;
    }
  }

  private static List<Row> rows(Repository repository) {
    List<Row> rows = new ArrayList<>();
    String section = "";
    for (String line : repository.text("docs/conformance.md").lines().toList()) {
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

  private static boolean isTest(Repository repository, MatchResult named) {
    return repository.files("/" + named.group(1) + ".java").stream()
        .anyMatch(source -> declaresTest(repository.text(source), named.group(2)));
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
