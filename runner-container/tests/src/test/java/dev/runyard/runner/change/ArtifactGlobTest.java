package dev.runyard.runner.change;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ArtifactGlobTest {
  @ParameterizedTest
  @CsvSource({
    "dist/**, dist/a, true",
    "dist/**, dist/a/b/.c, true",
    "dist/**, dist, false",
    "dist/**, other/dist/a, false",
    "**/*.log, a.log, true",
    "**/*.log, a/b/c.log, true",
    "**/*.log, a/b/c.log/d, false",
    "a/**/z, a/z, true",
    "a/**/z, a/b/c/z, true",
    "a/**/z, z, false",
    "*.html, report.html, true",
    "*.html, a/report.html, false",
    "r?port, report, true",
    "r?port, rport, false",
    "[ab], a, false",
    "[ab], [ab], true",
    "**, a/b, true",
    "*a*b*c, xxaybzzc, true",
    "*a*b*c, xxaybzzcd, false"
  })
  void matchesNamesByName(String pattern, String path, boolean matches) {
    assertEquals(matches, new ArtifactGlob(pattern).matches(path));
  }
}
