package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Compares the limits of docs/limits.md with the constants it names.
final class LimitsPageTest {

  @Test
  void saysTheValueOfEachConstantItNames() {
    for (List<String> row : Page.read("docs/limits.md").tableUnder("# Limits")) {
      String constant = row.get(2).replace("`", "");
      String number = row.get(1).split(" ", 2)[0].replace(",", "");
      assertEquals(Constants.value(constant), number, constant);
    }
  }
}
