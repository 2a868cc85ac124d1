package dev.runyard.functions.deliver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The status of an answer and when its sender wants to be asked again. Nothing else of an answer
/// is read.
///
/// @param retryAfter the header's value
record AnswerHead(int status, Optional<String> retryAfter) {
  static final int ANSWER_BYTES_MAX = 16_384;

  private static final int INTERIM_MAX = 5;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-9][0-9]{2})(?: .*)?");
  private static final Pattern RETRY_AFTER =
      Pattern.compile("retry-after:[ \\t]*(.*?)[ \\t]*", Pattern.CASE_INSENSITIVE);
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  /// Reads up to the end of the headers, past interim answers.
  ///
  /// @throws Malformed when that is no answer, or too long
  static AnswerHead read(InputStream in) throws IOException {
    Lines lines = new Lines(in);
    for (int i = 0; i <= INTERIM_MAX; i++) {
      AnswerHead head = one(lines);
      if (head.status / 100 != 1) {
        return head;
      }
    }
    throw new Malformed();
  }

  private static AnswerHead one(Lines lines) throws IOException {
    Matcher status = STATUS.matcher(lines.next());
    if (!status.matches()) {
      throw new Malformed();
    }
    Optional<String> retryAfter = Optional.empty();
    for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
      Matcher header = RETRY_AFTER.matcher(line);
      if (header.matches()) {
        retryAfter = Optional.of(header.group(1));
      }
    }
    return new AnswerHead(Integer.parseInt(status.group(1)), retryAfter);
  }

  /// How long the receiver wants to be left alone, if it says so in seconds or as a date.
  Optional<Duration> pause(Instant now) {
    return retryAfter.flatMap(
        value -> {
          if (SECONDS.matcher(value).matches()) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
          }
          try {
            Instant at =
                ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return Optional.of(Duration.between(now, at)).filter(Duration::isPositive);
          } catch (DateTimeException _) {
            return Optional.empty();
          }
        });
  }

  /// What came is no answer of HTTP.
  static final class Malformed extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private static final class Lines {
    private final InputStream in;
    private int left = ANSWER_BYTES_MAX;

    Lines(InputStream in) {
      this.in = in;
    }

    String next() throws IOException {
      byte[] line = new byte[left];
      int length = 0;
      while (left-- > 0) {
        int next = in.read();
        if (next < 0) {
          throw new Malformed();
        }
        if (next == '\n') {
          int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
          return new String(line, 0, end, StandardCharsets.ISO_8859_1);
        }
        line[length++] = (byte) next;
      }
      throw new Malformed();
    }
  }
}
