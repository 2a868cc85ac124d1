package dev.runyard.core.artifact;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The part of a content that a `Range` header asks for. Several parts at once are answered with
/// all of it, as the standard allows.
public sealed interface ByteRange {
  record All() implements ByteRange {}

  record Part(long from, long length) implements ByteRange {
    public String header(long bytes) {
      return "bytes %d-%d/%d".formatted(from, from + length - 1, bytes);
    }
  }

  record Unsatisfiable() implements ByteRange {}

  static ByteRange of(@Nullable String header, long bytes) {
    Matcher asked = Form.ONE.matcher(header == null ? "" : header.strip());
    if (!asked.matches() || (asked.group(1).isEmpty() && asked.group(2).isEmpty())) {
      return new All();
    }
    if (asked.group(1).isEmpty()) {
      long last = Math.min(Long.parseLong(asked.group(2)), bytes);
      return last == 0 ? new Unsatisfiable() : new Part(bytes - last, last);
    }
    long from = Long.parseLong(asked.group(1));
    long to = asked.group(2).isEmpty() ? bytes - 1L : Long.parseLong(asked.group(2));
    if (to < from && !asked.group(2).isEmpty()) {
      return new All();
    }
    return from >= bytes
        ? new Unsatisfiable()
        : new Part(from, Math.min(to, bytes - 1L) - from + 1);
  }

  /// The form of a header.
  final class Form {
    private static final Pattern ONE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

    private Form() {}
  }
}
