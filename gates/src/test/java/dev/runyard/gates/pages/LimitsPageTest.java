package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.limits.Limits;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Compares the limits of docs/limits.md with the constants it names.
@Reads("docs/limits.md")
final class LimitsPageTest {

  @Gate
  @Breach(replace = "1,048,576 bytes", by = "1,048,577 bytes", named = "Limits.BODY_BYTES_MAX")
  @Breach(replace = "`Limits.TAGS_MAX`", by = "`Limits.LABELS_MAX`", named = "Limits.LABELS_MAX")
  void saysTheValueOfEachConstantItNames(Repository repository) {
    for (List<String> row : limits(repository)) {
      String constant = Page.codes(row.get(2)).getFirst();
      String number = row.get(1).split(" ", 2)[0].replace(",", "");
      assertEquals(Constants.value(repository, constant), number, constant);
    }
  }

  @Gate
  @Breach(replace = "`Limits.TAGS_MAX`", by = "`Limits.LABELS_MAX`", named = "Limits.TAGS_MAX")
  void namesTheGreatestOfEverything(Repository repository) {
    Set<String> greatest =
        Arrays.stream(Limits.class.getFields())
            .map(field -> "Limits." + field.getName())
            .filter(name -> name.endsWith("_MAX"))
            .collect(Collectors.toCollection(TreeSet::new));
    limits(repository).forEach(row -> greatest.removeAll(Page.codes(row.get(2))));
    assertEquals(Set.of(), greatest);
  }

  private static List<List<String>> limits(Repository repository) {
    return Page.of(repository, "docs/limits.md").tableUnder("# Limits");
  }
}
