package dev.runyard.functions.stream;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The part of a content that a `Range` header asks for. Several parts at once are answered with
/// all of it, as the standard allows.
sealed interface ByteRange {
  Pattern ONE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

  record All() implements ByteRange {}

  record Part(int from, int length) implements ByteRange {
    String header(int bytes) {
      return "bytes %d-%d/%d".formatted(from, from + length - 1, bytes);
    }
  }

  record Unsatisfiable() implements ByteRange {}

  static ByteRange of(@Nullable String header, int bytes) {
    Matcher asked = ONE.matcher(header == null ? "" : header.strip());
    if (!asked.matches() || (asked.group(1).isEmpty() && asked.group(2).isEmpty())) {
      return new All();
    }
    if (asked.group(1).isEmpty()) {
      long last = Math.min(Long.parseLong(asked.group(2)), bytes);
      return last == 0 ? new Unsatisfiable() : new Part((int) (bytes - last), (int) last);
    }
    long from = Long.parseLong(asked.group(1));
    long to = asked.group(2).isEmpty() ? bytes - 1L : Long.parseLong(asked.group(2));
    if (to < from && !asked.group(2).isEmpty()) {
      return new All();
    }
    return from >= bytes
        ? new Unsatisfiable()
        : new Part((int) from, (int) (Math.min(to, bytes - 1L) - from + 1));
  }
}
