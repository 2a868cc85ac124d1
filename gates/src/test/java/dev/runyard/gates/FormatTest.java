package dev.runyard.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Formats every source with google-java-format and compares. A Maven plugin would do it on Maven's
/// own JDK, which may be too old to parse the sources.
final class FormatTest {
  /// Formatting all takes seconds, and a copy of the repository has the same texts but for one.
  private static final Map<String, Boolean> JUDGED = new ConcurrentHashMap<>();

  @Gate
  @Breach(in = "cli/src/main/java/Planted.java", by = "class A{int b;}", named = "Planted.java")
  @Breach(
      in = "cli/src/main/java/Planted.java",
      by = "import java.util.List;\n\nclass A {}\n",
      named = "Planted.java")
  void everySourceIsFormatted(Repository repository) {
    List<String> sources = repository.files(".java");
    assertFalse(sources.isEmpty());
    assertEquals(
        List.of(),
        sources.parallelStream()
            .filter(
                source -> !JUDGED.computeIfAbsent(repository.text(source), FormatTest::isFormatted))
            .toList(),
        "run: mvn spotless:apply");
  }

  private static boolean isFormatted(String text) {
    try {
      String ordered =
          ImportOrderer.reorderImports(
              RemoveUnusedImports.removeUnusedImports(text), JavaFormatterOptions.Style.GOOGLE);
      return new Formatter().formatSource(ordered).equals(text);
    } catch (FormatterException e) {
      throw new AssertionError(text, e);
    }
  }
}
