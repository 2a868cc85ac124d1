package dev.runyard.gates.archives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.gates.Planted;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class DependenciesPageTest {

  @Planted("DependenciesPageIT.namesWhatTheBuildResolvedWithItsLicence")
  @Test
  void everyFaultIsNamed() {
    DependenciesPage page =
        new DependenciesPage(Map.of("one", "Apache-2.0", "two", "Apache-2.0", "gone", "WTFPL"));

    assertEquals(
        List.of(
            "more is not on the page",
            "two says its licence is MIT License",
            "gone is not resolved",
            "gone has a licence to be judged first: WTFPL"),
        page.faults(
            new TreeMap<>(Map.of("one", "Apache License 2.0", "two", "MIT License", "more", ""))));
  }
}
