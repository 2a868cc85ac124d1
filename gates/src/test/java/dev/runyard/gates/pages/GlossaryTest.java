package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.gates.Repository;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// docs/glossary.md: what is defined exists, and no word means two things.
final class GlossaryTest {
  private static final Page GLOSSARY = Page.read("docs/glossary.md");
  private static final String CODE = "src/main/java/dev/runyard/";

  /// Names that the platform or a convention gives to one type in each place.
  private static final Set<String> CONVENTIONAL =
      Set.of("Main", "Handler", "Wiring", "package-info");

  /// Pages that tell what was.
  private static final Pattern HISTORY =
      Pattern.compile("CHANGELOG\\.md|docs/glossary\\.md|docs/adr/.*|docs/http\\.md");

  @Test
  void everyTermIsDefinedOnce() {
    List<String> terms = GLOSSARY.table("Terms").stream().map(List::getFirst).toList();
    assertEquals(terms.size(), Set.copyOf(terms).size(), "defined twice");
    List<String> unknown = new ArrayList<>();
    Set<String> places = new TreeSet<>();
    types()
        .forEach(
            type -> {
              places.add(type);
              for (int dot = type.lastIndexOf('.'); dot > 0; dot = type.lastIndexOf('.', dot - 1)) {
                places.add(type.substring(0, dot));
              }
            });
    for (List<String> row : GLOSSARY.table("Terms")) {
      Page.codes(row.getLast()).stream()
          .filter(place -> !places.contains(place))
          .forEach(unknown::add);
    }
    assertEquals(List.of(), unknown, "no such package or type");
  }

  @Test
  void aWordInANameStandsWhereItsMeaningIs() {
    assertEquals(List.of(), misplaced(types()));
  }

  @Test
  void aMisplacedWordIsFound() {
    assertEquals(
        List.of("core.problem.AcpThing has Acp"),
        misplaced(List.of("core.problem.AcpThing", "core.problem.Problem")));
  }

  private static List<String> misplaced(List<String> types) {
    List<String> misplaced = new ArrayList<>();
    for (List<String> row : GLOSSARY.table("Words in names")) {
      String word = Page.codes(row.getFirst()).getFirst();
      List<String> packages = Page.codes(row.getLast());
      Pattern inName = Pattern.compile("\\.\\w*?" + word + "(?![a-z])\\w*$");
      types.stream()
          .filter(type -> inName.matcher(type).find())
          .filter(type -> packages.stream().noneMatch(place -> type.startsWith(place + ".")))
          .forEach(type -> misplaced.add(type + " has " + word));
    }
    return misplaced;
  }

  @Test
  void noTwoTypesShareAName() {
    Map<String, String> seen = new HashMap<>();
    List<String> twice = new ArrayList<>();
    for (String type : types()) {
      String name = type.substring(type.lastIndexOf('.') + 1);
      String before = seen.put(name, type);
      if (before != null && !CONVENTIONAL.contains(name)) {
        twice.add(before + " and " + type);
      }
    }
    assertEquals(List.of(), twice, "one word for one idea");
  }

  @Test
  void retiredWordsStayAway() {
    List<String> found = new ArrayList<>();
    for (List<String> row : GLOSSARY.table("Retired words")) {
      Pattern retired =
          Pattern.compile(
              "(?<![A-Za-z])" + Page.codes(row.getFirst()).getFirst() + "(?!Table|[a-z])");
      for (Path file : Repository.files()) {
        String name = Repository.name(file);
        if (((name.contains("src/main/") && name.endsWith(".java")) || name.endsWith(".md"))
            && !HISTORY.matcher(name).matches()
            && retired.matcher(Repository.read(file)).find()) {
          found.add(name + " has " + retired);
        }
      }
    }
    assertEquals(List.of(), found, "see docs/glossary.md for the word to use");
  }

  /// The types of all modules, named from below `dev.runyard`.
  private static List<String> types() {
    List<String> types =
        Repository.sources().stream()
            .map(Repository::name)
            .filter(name -> name.contains(CODE) && !name.endsWith("package-info.java"))
            .map(name -> name.substring(name.indexOf(CODE) + CODE.length(), name.length() - 5))
            .map(name -> name.replace('/', '.'))
            .toList();
    assertFalse(types.isEmpty());
    return types;
  }
}
