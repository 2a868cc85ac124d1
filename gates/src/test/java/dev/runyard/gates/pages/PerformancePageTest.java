package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.bench.BenchCommand;
import dev.runyard.bench.cost.AwsPrices;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The page on performance names the parts and the prices the benchmark has.
final class PerformancePageTest {
  private static final Pattern PRICE =
      Pattern.compile("\\| `(\\w+)` \\| ([0-9.]+) per ([\\w ]+?) \\|");

  @Test
  void namesEveryPart() throws Exception {
    String page = page();
    for (BenchCommand.Part part : BenchCommand.Part.values()) {
      String name = part.name().toLowerCase(Locale.ROOT);
      assertTrue(page.contains("| `" + name + "` |"), name);
    }
  }

  @Test
  void hasThePricesThatAreComputedWith() throws Exception {
    List<String> listed = new ArrayList<>();
    for (Matcher row = PRICE.matcher(page()); row.find(); ) {
      double each = row.group(3).startsWith("million") ? 1e6 : 1;
      Field field = AwsPrices.class.getField(row.group(1));
      assertEquals(Double.parseDouble(row.group(2)) / each, field.getDouble(null), 1e-12);
      listed.add(row.group(1));
    }
    assertEquals(
        Arrays.stream(AwsPrices.class.getFields()).map(Field::getName).sorted().toList(),
        listed.stream().sorted().toList());
  }

  private static String page() throws Exception {
    Path home = Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
    return Files.readString(home.resolve("docs/performance.md"));
  }
}
