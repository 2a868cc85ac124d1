package dev.runyard.functions.stream;

import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.read.Protocol;
import dev.runyard.functions.http.Query;
import java.util.List;

/// The views in which logs that are no run's are read: as they are stored, or under the version of
/// the standard's strict profile. No other protocol has a form for them.
final class LogViews {
  private static final String PLAIN = Protocol.RUNTIME.wire();
  private static final String STRICT = Protocol.LIME.wire();

  private LogViews() {}

  /// Whether the strict profile's version is asked for; another view is a problem of the query.
  static boolean strict(Query query) {
    String view = query.text("view").orElse(PLAIN);
    if (!List.of(PLAIN, STRICT).contains(view)) {
      query.refuse(
          ProblemCode.INVALID_REQUEST, "view must be one of: %s, %s.".formatted(PLAIN, STRICT));
    }
    return view.equals(STRICT);
  }
}
