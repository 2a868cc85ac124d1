package dev.runyard.core.release;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ReleaseTest {
  @Test
  void isThatOfTheBuild() {
    assertTrue(Release.number().matches("\\d+\\.\\d+\\.\\d+\\S*"), Release.number());
  }
}
