package dev.runyard.local.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.local.template.TemplateException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleExpressionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rate(1 minute)           | 2026-03-01T10:00:30Z | 2026-03-01T10:01:30Z
          rate(5 hours)            | 2026-03-01T10:00:00Z | 2026-03-01T15:00:00Z
          cron(* * * * ? *)        | 2026-03-01T10:00:30Z | 2026-03-01T10:01:00Z
          cron(0/15 * * * ? *)     | 2026-03-01T10:16:00Z | 2026-03-01T10:30:00Z
          cron(0 3 1,15 * ? *)     | 2026-03-01T10:00:00Z | 2026-03-15T03:00:00Z
          cron(30 8 ? * 2-6 *)     | 2026-02-28T10:00:00Z | 2026-03-02T08:30:00Z
          cron(0 0 1 1 ? 2028)     | 2026-03-01T10:00:00Z | 2028-01-01T00:00:00Z
          """)
  void findsTheNextTime(String expression, Instant now, Instant next) {
    assertEquals(next, ScheduleExpression.of(expression).next(now));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rate(0 minutes)",
        "rate(1 second)",
        "cron(* * * * *)",
        "cron(61 * * * ? *)",
        "cron(* * L * ? *)",
        "every minute"
      })
  void refusesWhatItDoesNotKnow(String expression) {
    assertThrows(TemplateException.class, () -> ScheduleExpression.of(expression));
  }
}
