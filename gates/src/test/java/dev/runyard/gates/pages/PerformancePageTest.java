package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.bench.BenchCommand;
import dev.runyard.bench.cost.AwsPrices;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The page on performance names the parts and the prices the benchmark has.
@Reads(PerformancePageTest.PAGE)
final class PerformancePageTest {
  static final String PAGE = "docs/performance.md";

  private static final Pattern PRICE =
      Pattern.compile("\\| `(\\w+)` \\| ([0-9.]+) per ([\\w ]+?) \\|");

  @Gate
  @Breach(replace = "| `viewers` |", by = "| `watchers` |", named = "watchers")
  void namesEveryPart(Repository repository) {
    assertEquals(
        Arrays.stream(BenchCommand.Part.values())
            .map(part -> part.name().toLowerCase(Locale.ROOT))
            .sorted()
            .toList(),
        Page.of(repository, PAGE).tableUnder("# Performance and cost").stream()
            .map(row -> Page.codes(row.getFirst()).getFirst())
            .sorted()
            .toList());
  }

  @Gate
  @Breach(replace = "| 0.625 per", by = "| 0.626 per", named = "WRITE_UNIT_PRICE")
  @Breach(replace = "| `API_REQUEST` |", by = "| `API_CALL` |", named = "API_CALL")
  void hasThePricesThatAreComputedWith(Repository repository) throws IllegalAccessException {
    Map<String, Double> listed = new TreeMap<>();
    for (Matcher row = PRICE.matcher(repository.text(PAGE)); row.find(); ) {
      double units = row.group(3).startsWith("million") ? 1e6 : 1;
      listed.put(row.group(1), Double.parseDouble(row.group(2)) / units);
    }
    Map<String, Double> known = new TreeMap<>();
    for (Field field : AwsPrices.class.getFields()) {
      known.put(field.getName(), field.getDouble(null));
    }
    assertEquals(known.keySet(), listed.keySet());
    known.forEach(
        (name, price) -> assertEquals(price, listed.getOrDefault(name, 0.0), 1e-12, name));
  }
}
