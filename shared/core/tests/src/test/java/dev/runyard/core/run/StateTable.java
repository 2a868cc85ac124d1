package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Assertions;

/// A table of what is expected in every state, one `state, state: outcome` a line. A state the
/// table does not name, or names twice, fails.
record StateTable(String text) {
  void check(Map<String, RunState> states, Function<RunState, String> outcome) {
    Map<String, String> actual = new LinkedHashMap<>();
    states.forEach((name, state) -> actual.put(name, outcome.apply(state)));
    assertEquals(new TreeMap<>(expected()), new TreeMap<>(actual));
  }

  private Map<String, String> expected() {
    Map<String, String> expected = new LinkedHashMap<>();
    for (String line : text.strip().lines().toList()) {
      int colon = line.indexOf(':');
      String outcome = line.substring(colon + 1).strip();
      for (String name : line.substring(0, colon).split(",", -1)) {
        if (expected.put(name.strip(), outcome) != null) {
          Assertions.fail("the table names " + name.strip() + " twice");
        }
      }
    }
    return expected;
  }
}
