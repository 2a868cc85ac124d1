package dev.runyard.local.rights;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WildcardTest {
  @ParameterizedTest
  @CsvSource({
    "a,a",
    "*,''",
    "*,abc",
    "a*,a",
    "a*,abc",
    "*c,abc",
    "a*c,abbc",
    "a*b*c,axbxbc",
    "a?c,abc",
    "*/runs/*/outputs/*,t/runs/1/outputs/o",
    "**,a",
    "*?,a"
  })
  void covers(String pattern, String text) {
    assertTrue(Wildcard.covers(pattern, text));
  }

  @ParameterizedTest
  @CsvSource({
    "a,b",
    "a,ab",
    "a,''",
    "a*c,abcd",
    "a?c,ac",
    "?,''",
    "a.c,abc",
    "A,a",
    "*b,abc",
    "*/runs/*/outputs/*,t/runs/1/session/o"
  })
  void doesNotCover(String pattern, String text) {
    assertFalse(Wildcard.covers(pattern, text));
  }
}
