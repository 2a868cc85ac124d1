package dev.runyard.local.embedded;

import dev.runyard.embedded.ChangeFilter;
import dev.runyard.local.events.FilterPattern;
import dev.runyard.local.template.EventSource.TableStream;
import dev.runyard.local.template.TemplateException;
import java.util.List;
import java.util.Map;

/// Which changes of the store the filters of a stream let through, found by showing them one of
/// each kind.
final class ChangeFilters {
  private static final Map<String, ?> STATE = Map.of("S", "running");
  private static final Map<String, ?> OUTPUT = change(Map.of());
  private static final Map<String, ?> CHANGED = change(Map.of("state", STATE));
  private static final Map<String, ?> CLOSED =
      change(Map.of("state", STATE, "closed", Map.of("BOOL", true)));

  private ChangeFilters() {}

  /// @throws TemplateException when no function could be called as the template wants it: a
  ///   function that is told of changes of state is told of the last as well
  static ChangeFilter of(TableStream stream) {
    List<FilterPattern> patterns = stream.filters().stream().map(FilterPattern::of).toList();
    if (!takes(patterns, CHANGED)) {
      throw new TemplateException("no change of " + stream.table() + " passes the filters");
    }
    if (!takes(patterns, CLOSED)) {
      throw new TemplateException("no end of " + stream.table() + " passes the filters");
    }
    return takes(patterns, OUTPUT) ? ChangeFilter.ALL : ChangeFilter.STATE;
  }

  private static boolean takes(List<FilterPattern> patterns, Map<String, ?> change) {
    return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> pattern.matches(change));
  }

  private static Map<String, ?> change(Map<String, ?> image) {
    return Map.of("dynamodb", Map.of("NewImage", image));
  }
}
