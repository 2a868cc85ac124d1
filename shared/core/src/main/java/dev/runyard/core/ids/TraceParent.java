package dev.runyard.core.ids;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The trace that a caller says its request is part of, in the header `traceparent` of the W3C's
/// Trace Context. It is believed for nothing but to find together what belongs together: whoever
/// sends it may name any trace.
public final class TraceParent {
  /// The name of the header.
  public static final String HEADER = "traceparent";

  private static final int SPAN_CHARS = 16;

  /// Later versions may add members behind the flags.
  private static final Pattern FORM =
      Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?");

  private static final String INVALID_VERSION = "ff";
  private static final String FIRST_VERSION = "00";
  private static final Pattern ZEROS = Pattern.compile("0+");

  private TraceParent() {}

  /// The id of the trace; empty for a header that is absent or, as the standard wants it treated as
  /// absent, invalid.
  public static Optional<String> traceId(@Nullable String header) {
    if (header == null) {
      return Optional.empty();
    }
    Matcher form = FORM.matcher(header.strip());
    return form.matches()
            && !form.group(1).equals(INVALID_VERSION)
            && (form.group(4) == null || !form.group(1).equals(FIRST_VERSION))
            && !ZEROS.matcher(form.group(2)).matches()
            && !ZEROS.matcher(form.group(3)).matches()
        ? Optional.of(form.group(2))
        : Optional.empty();
  }

  /// The span of an attempt.
  public static String spanOf(String attemptId) {
    return Digest.hex(attemptId).substring(0, SPAN_CHARS);
  }

  /// The span of a tool call within an attempt.
  public static String spanOf(String attemptId, String toolCallId) {
    return Digest.hex(attemptId + "\n" + toolCallId).substring(0, SPAN_CHARS);
  }
}
