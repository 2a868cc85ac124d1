package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class FailureRowTest {
  @Test
  void tellsTheFirstOfEachRow() {
    FailureRow failures = new FailureRow();

    assertTrue(failures.isFirst());
    assertFalse(failures.isFirst());
    assertFalse(failures.isFirst());
    failures.end();
    failures.end();
    assertTrue(failures.isFirst());
    assertFalse(failures.isFirst());
  }
}
