package dev.runyard.runner.checkout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.problem.Failure;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TreeCheckTest {
  private static final String HEAD =
      "100644 blob e69de29bb2d1d6434b8b29ae775ad8c2e48c5391       0\t";

  @Test
  void boundsThePathsOfAllFilesTogether() {
    TreeCheck tree = new TreeCheck(1_000, 1_000, 30);
    tree.line(HEAD + "a/23456789");
    tree.line(HEAD + "b/23456789");
    tree.line(HEAD + "c/23456789");
    assertEquals(Optional.empty(), tree.refused());

    tree.line(HEAD + "d");

    assertEquals(Optional.of(Failure.WORKSPACE_TOO_LARGE), tree.refused().map(Failure::code));
  }

  /// Git prints four characters for each byte that is not ASCII.
  @Test
  void countsBytesAsTheyAreAndNotAsGitQuotesThem() {
    TreeCheck tree = new TreeCheck(1_000, 1_000, 30);
    tree.line(HEAD + "\"" + "\\303\\244".repeat(14) + "\"");
    assertEquals(30, tree.pathsBytes());
    assertEquals(Optional.empty(), tree.refused());
  }
}
