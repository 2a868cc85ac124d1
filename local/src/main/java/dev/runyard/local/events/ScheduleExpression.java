package dev.runyard.local.events;

import dev.runyard.local.template.TemplateException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// When a schedule fires, in UTC: `rate(value unit)`, or `cron(minute hour day month weekday year)`
/// with numbers, ranges, lists, steps, `*` and `?`. Names of days and months, `L`, `W` and `#` are
/// refused.
sealed interface ScheduleExpression {

  /// The first time after `instant`.
  Instant next(Instant instant);

  /// A fixed interval.
  record Rate(Duration interval) implements ScheduleExpression {
    @Override
    public Instant next(Instant instant) {
      return instant.plus(interval);
    }
  }

  /// Calendar minutes; each field has its allowed values.
  record Cron(
      BitSet minutes, BitSet hours, BitSet days, BitSet months, BitSet weekdays, BitSet years)
      implements ScheduleExpression {
    @Override
    public Instant next(Instant instant) {
      ZonedDateTime time =
          instant.atZone(ZoneOffset.UTC).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
      ZonedDateTime end = time.plusYears(5);
      while (time.isBefore(end)) {
        if (!isDay(time)) {
          time = time.truncatedTo(ChronoUnit.DAYS).plusDays(1);
        } else if (!hours.get(time.getHour())) {
          time = time.truncatedTo(ChronoUnit.HOURS).plusHours(1);
        } else if (!minutes.get(time.getMinute())) {
          time = time.plusMinutes(1);
        } else {
          return time.toInstant();
        }
      }
      throw new TemplateException("the cron expression never comes true");
    }

    private boolean isDay(ZonedDateTime time) {
      return years.get(time.getYear())
          && months.get(time.getMonthValue())
          && days.get(time.getDayOfMonth())
          && weekdays.get(time.getDayOfWeek().getValue() % 7 + 1);
    }
  }

  Pattern RATE = Pattern.compile("rate\\(\\s*([1-9][0-9]{0,5})\\s+(minute|hour|day)s?\\s*\\)");
  Pattern CRON = Pattern.compile("cron\\((.+)\\)");

  static ScheduleExpression of(String text) {
    Matcher rate = RATE.matcher(text.strip());
    if (rate.matches()) {
      long value = Long.parseLong(rate.group(1));
      return new Rate(
          switch (rate.group(2)) {
            case "minute" -> Duration.ofMinutes(value);
            case "hour" -> Duration.ofHours(value);
            default -> Duration.ofDays(value);
          });
    }
    Matcher cron = CRON.matcher(text.strip());
    String[] fields = cron.matches() ? cron.group(1).strip().split("\\s+") : new String[0];
    if (fields.length != 6) {
      throw new TemplateException("not a schedule: " + text);
    }
    return new Cron(
        field(fields[0], 0, 59),
        field(fields[1], 0, 23),
        field(fields[2], 1, 31),
        field(fields[3], 1, 12),
        field(fields[4], 1, 7),
        field(fields[5], 1970, 2199));
  }

  private static BitSet field(String text, int least, int most) {
    BitSet values = new BitSet();
    for (String part : text.split(",", -1)) {
      Matcher matcher =
          Pattern.compile("(?:[*?]|([0-9]{1,4})(?:-([0-9]{1,4}))?)(?:/([0-9]{1,4}))?")
              .matcher(part);
      if (!matcher.matches()) {
        throw new TemplateException("not a cron field: " + text);
      }
      boolean all = matcher.group(1) == null;
      int from = all ? least : Integer.parseInt(matcher.group(1));
      int step = matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3));
      int to = all || (matcher.group(2) == null && matcher.group(3) != null) ? most : from;
      if (matcher.group(2) != null) {
        to = Integer.parseInt(matcher.group(2));
      }
      if (from < least || to > most || from > to || step < 1) {
        throw new TemplateException("a cron field is out of range: " + text);
      }
      for (int value = from; value <= to; value += step) {
        values.set(value);
      }
    }
    return values;
  }
}
