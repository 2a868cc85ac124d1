package dev.runyard.functions.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.functions.Described;
import dev.runyard.testkit.openapi.DescribedOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// Runs after all other tests of this module, on what their clients have read: there is no answer
/// in the description that none of them has seen. If only some tests were selected there is nothing
/// to compare.
@Order(Integer.MAX_VALUE)
final class DescribedAnswersTest {
  private static final boolean ALL_RAN =
      Boolean.parseBoolean(
          System.getProperty(
              "runyard.openapi.all", String.valueOf(System.getProperty("test") == null)));

  /// Answers that no test of this module can read. A run is seen to be cancelled before an action
  /// of it is decided, unless the cancel comes between the two.
  private static final Pattern UNREAD = Pattern.compile("acpResumeRun run_closed");

  @Test
  void eachDeclaredAnswerWasRead() {
    Set<String> seen = Described.API.seen();
    List<String> missing = new ArrayList<>();
    for (DescribedOperation operation : Described.API.operations()) {
      for (String status : operation.successes()) {
        missing.add(operation.id() + " " + status);
      }
      for (String code : operation.codes()) {
        missing.add(operation.id() + " " + code);
      }
    }
    missing.removeIf(answer -> seen.contains(answer) || UNREAD.matcher(answer).matches());

    if (ALL_RAN) {
      assertEquals(List.of(), missing, "test it, or do not declare what cannot be answered");
    }
  }
}
