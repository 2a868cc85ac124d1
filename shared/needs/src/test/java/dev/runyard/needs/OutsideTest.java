package dev.runyard.needs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class OutsideTest {
  @ParameterizedTest
  @EnumSource(Outside.class)
  void excusesOnlyWhatIsAbsentHere(Outside outside) {
    assertTrue(outside.reason().startsWith("for want of "));
    assertEquals(!outside.isPresent(), Outside.excuses(outside.reason()));
  }

  @Test
  void excusesNoOtherReason() {
    assertFalse(Outside.excuses(""));
    assertFalse(Outside.excuses("for want of time"));
    assertFalse(Outside.excuses(Outside.STANDARDS.reason() + " and time"));
  }

  @Test
  void givesEachItsOwnReason() {
    assertEquals(
        Outside.values().length,
        Arrays.stream(Outside.values()).map(Outside::reason).collect(Collectors.toSet()).size());
  }

  @Test
  @NeedsStandards
  void runsWhereTheFilesAreThere() {
    assertFalse(Standards.files("").isEmpty());
  }
}
