package dev.runyard.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Ten minutes without the log, the queues or the bucket, and nothing else that goes wrong. Only a
/// run whose agent was working without the log may fail, and only if it may not be tried again.
final class OutagesTest {
  private static final Duration AWAY = Duration.ofMinutes(10);

  @ParameterizedTest
  @CsvSource({
    "LASTS, LOG_OUTAGE, 2, false, {completed=1; lost=1}",
    "LASTS, LOG_OUTAGE, 2, true, {completed=1; lost=1}",
    "STARTED, LOG_OUTAGE, 5, false, {completed=4}",
    "STARTED, LOG_OUTAGE, 5, true, {completed=4}",
    "TURNS, LOG_OUTAGE, 1, false, {completed=1; lost=1}",
    "RESUMED, LOG_OUTAGE, 20, false, {completed=1}",
    "RESUMED, LOG_OUTAGE, 20, true, {completed=1}",
    "CANCELLED, LOG_OUTAGE, 2, false, {cancelled=1}",
    "LASTS, QUEUE_OUTAGE, 2, false, {completed=2}",
    "STARTED, QUEUE_OUTAGE, 5, false, {completed=4}",
    "STARTED, QUEUE_OUTAGE, 5, true, {completed=4}",
    "TURNS, QUEUE_OUTAGE, 1, false, {completed=2}",
    "RESUMED, QUEUE_OUTAGE, 5, false, {completed=1}",
    "RESUMED, QUEUE_OUTAGE, 5, true, {completed=1}",
    "CANCELLED, QUEUE_OUTAGE, 2, false, {cancelled=1}",
    "LASTS, BUCKET_OUTAGE, 0, false, {completed=2}",
    "LASTS, BUCKET_OUTAGE, 0, true, {completed=2}",
    "REMEMBERED, BUCKET_OUTAGE, 0, false, {completed=2}",
    "RESUMED, BUCKET_OUTAGE, 5, false, {completed=1}",
    "RESUMED, BUCKET_OUTAGE, 20, true, {completed=1}",
    "PUT_ASIDE, BUCKET_OUTAGE, 2, false, {completed=2}",
  })
  void failNothingElse(Scenario scenario, Fault store, int second, boolean hangs, String endings) {
    Outages.Report report =
        new Outages(scenario, store, hangs).play(Duration.ofSeconds(second), Defect.NONE);
    assertEquals(List.of(), report.violations());
    assertEquals(endings, new TreeMap<>(report.endings()).toString().replace(",", ";"));
    assertEquals(AWAY, report.away());
  }

  @ParameterizedTest
  @CsvSource({
    "STARTED, LOG_OUTAGE, 5, DEAD_LETTER_ENDS_WAITING_RUN",
    "LASTS, QUEUE_OUTAGE, 2, CUT_OFF_BY_QUEUE",
    "LASTS, BUCKET_OUTAGE, 0, BUCKET_NOT_WAITED_FOR",
  })
  void showADefectOfWhatTheyAreAbout(Scenario scenario, Fault store, int second, Defect defect) {
    List<Violation> found =
        new Outages(scenario, store, false).play(Duration.ofSeconds(second), defect).violations();
    System.out.printf("outages: %s found with %s%n", defect, found);
    assertNotEquals(List.of(), found);
  }
}
