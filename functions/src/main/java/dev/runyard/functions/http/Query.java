package dev.runyard.functions.http;

import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The query of a request, read strictly: each parameter must be known and occur at most once. The
/// first mistake is kept as the problem, and later reads do no harm. Not thread-safe.
public final class Query {
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  private final Map<String, String> values = new LinkedHashMap<>();
  private @Nullable Problem problem;

  private Query() {}

  /// A query that is already parsed.
  public static Query of(Map<String, List<String>> parameters, Set<String> known) {
    Query query = new Query();
    parameters.forEach((name, values) -> values.forEach(value -> query.put(name, value, known)));
    return query;
  }

  /// A query as in a request line, without the question mark.
  public static Query parse(@Nullable String raw, Set<String> known) {
    Query query = new Query();
    if (raw == null || raw.isEmpty()) {
      return query;
    }
    for (String pair : raw.split("&", -1)) {
      int at = pair.indexOf('=');
      try {
        query.put(
            decode(at < 0 ? pair : pair.substring(0, at)),
            at < 0 ? "" : decode(pair.substring(at + 1)),
            known);
      } catch (IllegalArgumentException _) {
        query.refuse(ProblemCode.INVALID_REQUEST, "The query has a broken percent escape.");
      }
    }
    return query;
  }

  public Optional<Problem> problem() {
    return Optional.ofNullable(problem);
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  public long whole(String name, long min, long max, long absent) {
    return text(name).map(text -> whole(name, text, min, max, absent)).orElse(absent);
  }

  /// Reads a whole number from elsewhere, such as a header, by the same rules.
  public long whole(String name, String text, long min, long max, long absent) {
    if (DIGITS.matcher(text).matches()) {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    }
    refuse(
        ProblemCode.INVALID_REQUEST,
        max == Long.MAX_VALUE
            ? "%s must be a whole number of at least %d.".formatted(name, min)
            : "%s must be a whole number from %d to %d.".formatted(name, min, max));
    return absent;
  }

  /// Keeps a problem unless there is one already.
  public void refuse(ProblemCode code, String detail) {
    if (problem == null) {
      problem = Problem.of(code, detail);
    }
  }

  private void put(String name, String value, Set<String> known) {
    if (!known.contains(name)) {
      refuse(
          ProblemCode.INVALID_REQUEST,
          known.isEmpty()
              ? "This resource takes no query."
              : "Known query parameters are: %s."
                  .formatted(String.join(", ", known.stream().sorted().toList())));
    } else if (values.put(name, value) != null) {
      refuse(ProblemCode.INVALID_REQUEST, "The parameter %s is given twice.".formatted(name));
    }
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
