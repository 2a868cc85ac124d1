package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// docs/glossary.md: what is defined exists, and no word means two things.
@Reads("docs/glossary.md")
final class GlossaryTest {
  private static final String CODE = "src/main/java/dev/runyard/";

  /// Names that the platform or a convention gives to one type in each place.
  private static final Set<String> CONVENTIONAL =
      Set.of("Main", "Handler", "Wiring", "package-info");

  /// Pages that tell what was.
  private static final Pattern HISTORY =
      Pattern.compile("CHANGELOG\\.md|docs/glossary\\.md|docs/adr/.*|docs/http\\.md");

  @Gate
  @Breach(replace = "| event | one", by = "| run | one", named = "[run]")
  @Breach(replace = "`core.log.Chunk`", by = "`core.log.Bundle`", named = "core.log.Bundle")
  void everyTermIsDefinedOnce(Repository repository) {
    Page glossary = glossary(repository);
    Set<String> seen = new HashSet<>();
    assertEquals(
        List.of(),
        glossary.table("Terms").stream()
            .map(List::getFirst)
            .filter(term -> !seen.add(term))
            .toList(),
        "defined twice");
    List<String> unknown = new ArrayList<>();
    Set<String> places = new TreeSet<>();
    types(repository)
        .forEach(
            type -> {
              places.add(type);
              for (int dot = type.lastIndexOf('.'); dot > 0; dot = type.lastIndexOf('.', dot - 1)) {
                places.add(type.substring(0, dot));
              }
            });
    for (List<String> row : glossary.table("Terms")) {
      Page.codes(row.getLast()).stream()
          .filter(place -> !places.contains(place))
          .forEach(unknown::add);
    }
    assertEquals(List.of(), unknown, "no such package or type");
  }

  @Gate
  @Breach(
      in = "shared/core/src/main/java/dev/runyard/core/problem/AcpThing.java",
      by = "package dev.runyard.core.problem;",
      named = "core.problem.AcpThing has Acp")
  @Breach(replace = "| `Lease` | `core.attempt` |", by = "| `Lease` | `aws` |", named = "has Lease")
  void aWordInANameStandsWhereItsMeaningIs(Repository repository) {
    List<String> misplaced = new ArrayList<>();
    for (List<String> row : glossary(repository).table("Words in names")) {
      String word = Page.codes(row.getFirst()).getFirst();
      List<String> packages = Page.codes(row.getLast());
      Pattern inName = Pattern.compile("\\.\\w*?" + word + "(?![a-z])\\w*$");
      types(repository).stream()
          .filter(type -> inName.matcher(type).find())
          .filter(type -> packages.stream().noneMatch(place -> type.startsWith(place + ".")))
          .forEach(type -> misplaced.add(type + " has " + word));
    }
    assertEquals(List.of(), misplaced);
  }

  @Gate
  @Breach(
      in = "shared/core/src/main/java/dev/runyard/core/run/Problem.java",
      by = "package dev.runyard.core.run;",
      named = "core.problem.Problem and core.run.Problem")
  void noTwoTypesShareAName(Repository repository) {
    Map<String, String> seen = new HashMap<>();
    List<String> twice = new ArrayList<>();
    for (String type : types(repository)) {
      String name = type.substring(type.lastIndexOf('.') + 1);
      String before = seen.put(name, type);
      if (before != null && !CONVENTIONAL.contains(name)) {
        twice.add(before + " and " + type);
      }
    }
    assertEquals(List.of(), twice, "one word for one idea");
  }

  @Gate
  @Breach(in = "docs/planted.md", by = "A Journal of it.", named = "docs/planted.md has Journal")
  @Breach(
      in = "cli/src/main/java/dev/runyard/cli/Planted.java",
      by = "class RunJournal {}",
      named = "Planted.java has Journal")
  @Breach(
      in = "docs/planted.md",
      by = "`answer_too_large`",
      named = "docs/planted.md has answer_too_large")
  void retiredWordsStayAway(Repository repository) {
    List<String> found = new ArrayList<>();
    for (List<String> row : glossary(repository).table("Retired words")) {
      String word = Page.codes(row.getFirst()).getFirst();
      Pattern retired = Pattern.compile(word + "(?!Table|[a-z])");
      repository.files().stream()
          .filter(GlossaryTest::isOfToday)
          .filter(file -> retired.matcher(repository.text(file)).find())
          .forEach(file -> found.add(file + " has " + word));
    }
    assertEquals(List.of(), found, "see docs/glossary.md for the word to use");
  }

  /// True for code that is deployed and for pages that tell what is.
  private static boolean isOfToday(String file) {
    return ((file.contains("src/main/") && file.endsWith(".java")) || file.endsWith(".md"))
        && !HISTORY.matcher(file).matches();
  }

  private static Page glossary(Repository repository) {
    return Page.of(repository, "docs/glossary.md");
  }

  /// The types of all modules, named from below `dev.runyard`.
  private static List<String> types(Repository repository) {
    List<String> types =
        repository.files(".java").stream()
            .filter(name -> name.contains(CODE) && !name.endsWith("package-info.java"))
            .map(name -> name.substring(name.indexOf(CODE) + CODE.length(), name.length() - 5))
            .map(name -> name.replace('/', '.'))
            .toList();
    assertFalse(types.isEmpty());
    return types;
  }
}
