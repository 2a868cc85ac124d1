package dev.runyard.bench.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FiguresTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void keepsTheDigitsThatMatter() {
    assertEquals("0", Figures.number(0));
    assertEquals("0.073", Figures.number(0.0734));
    assertEquals("4.21", Figures.number(4.2149));
    assertEquals("15.6", Figures.number(15.62));
    assertEquals("1,645", Figures.number(1645.4));
    assertEquals("-2.50", Figures.number(-2.5));
  }

  @Test
  void sayAsJsonWhatTheyAre() throws Exception {
    Path file = folder.resolve("figures.json");
    Figures.save(file, List.of(new Figure("up", "ready", 1234.5, "ms", "7 starts")));

    var figure = JsonMapper.builder().build().readTree(file.toFile()).path(0);
    assertEquals("up", figure.path("section").textValue());
    assertEquals(1234.5, figure.path("value").doubleValue());
    assertEquals("ms", figure.path("unit").textValue());
  }

  @Test
  void namePercentilesAndSamples() {
    List<Figure> figures =
        Figure.ofMillis("line", "lag", Samples.of(List.of(1.0, 2.0, 9.0)), "quiet");

    assertEquals("lag, p50", figures.getFirst().name());
    assertEquals(2, figures.getFirst().value());
    assertEquals(9, figures.getLast().value());
    assertTrue(Figures.line(figures.getLast()).endsWith("9.00 ms     3 samples; quiet"));
  }
}
