package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.gates.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What the pages name exists: files, tests and constants.
final class ReferencesTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
  private static final Pattern TEST =
      Pattern.compile("`([A-Z]\\w*(?:Test|IT|Contract))(?:\\.(\\w+))?`");
  private static final Pattern CONSTANT = Pattern.compile("`([A-Z]\\w*\\.[A-Z][A-Z0-9_]+)`");

  @Test
  void everyLinkLeadsToAFile() {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      LINK.matcher(Repository.read(page))
          .results()
          .map(link -> link.group(1))
          .filter(link -> !Files.exists(page.resolveSibling(link)))
          .forEach(link -> broken.add(Repository.name(page) + ": " + link));
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void everyTestThatIsNamedExists() {
    List<String> missing = new ArrayList<>();
    for (Path page : pages()) {
      TEST.matcher(Repository.read(page))
          .results()
          .filter(test -> !exists(test.group(1), test.group(2)))
          .forEach(test -> missing.add(Repository.name(page) + ": " + test.group()));
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void everyConstantThatIsNamedHasAValue() {
    for (Path page : pages()) {
      CONSTANT
          .matcher(Repository.read(page))
          .results()
          .forEach(constant -> assertFalse(Constants.value(constant.group(1)).isEmpty()));
    }
  }

  private static List<Path> pages() {
    List<Path> pages =
        Repository.files().stream().filter(file -> file.toString().endsWith(".md")).toList();
    assertFalse(pages.isEmpty());
    return pages;
  }

  private static boolean exists(String type, String method) {
    return Repository.sources().stream()
        .filter(source -> source.endsWith(type + ".java"))
        .anyMatch(
            source -> method == null || Repository.read(source).contains(" void " + method + "("));
  }
}
