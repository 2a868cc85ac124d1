package dev.runyard.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Formats every source with google-java-format and compares. A Maven plugin would do it on Maven's
/// own JDK, which may be too old to parse the sources.
final class FormatTest {

  @Test
  void everySourceIsFormatted() {
    List<Path> sources = Repository.sources();
    assertFalse(sources.isEmpty());
    List<String> different =
        sources.parallelStream()
            .filter(source -> !formatted(source))
            .map(Repository::name)
            .sorted()
            .toList();
    assertEquals(List.of(), different, "run: mvn spotless:apply");
  }

  @Test
  void noticesWhatIsNotFormatted() throws FormatterException {
    assertEquals("class A {\n  int b;\n}\n", format("import java.util.List;\nclass A{int b;}"));
  }

  private static boolean formatted(Path source) {
    String text = Repository.read(source);
    try {
      return format(text).equals(text);
    } catch (FormatterException e) {
      throw new AssertionError(Repository.name(source), e);
    }
  }

  private static String format(String text) throws FormatterException {
    String ordered =
        ImportOrderer.reorderImports(
            RemoveUnusedImports.removeUnusedImports(text), JavaFormatterOptions.Style.GOOGLE);
    return new Formatter().formatSource(ordered);
  }
}
