package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.gates.Repository;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Compares the limits of docs/limits.md with the constants it names.
final class LimitsPageTest {

  @Test
  void saysTheValueOfEachConstantItNames() {
    List<List<String>> rows = rows();
    assertFalse(rows.isEmpty());
    for (List<String> row : rows) {
      String constant = row.get(2).replace("`", "");
      String number = row.get(1).split(" ", 2)[0].replace(",", "");
      assertEquals(Constants.value(constant), number, constant);
    }
  }

  private static List<List<String>> rows() {
    return Repository.read(Repository.HOME.resolve("docs/limits.md"))
        .lines()
        .dropWhile(line -> !line.equals("# Limits"))
        .dropWhile(line -> !line.startsWith("|"))
        .takeWhile(line -> line.startsWith("|"))
        .skip(2)
        .map(line -> Arrays.asList(line.split("\\|", -1)))
        .map(cells -> cells.subList(1, cells.size() - 1).stream().map(String::strip).toList())
        .toList();
  }
}
