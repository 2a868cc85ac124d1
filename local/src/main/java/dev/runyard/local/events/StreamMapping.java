package dev.runyard.local.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.local.template.EventSource.TableStream;
import java.util.List;

/// One function's subscription to a table's stream: which records, in what batches, and what
/// happens with those it cannot handle.
///
/// @param onFailure gets notes of records that were given up
public record StreamMapping(
    LambdaFunction function,
    TableStream settings,
    List<FilterPattern> filters,
    FailureDestination onFailure) {

  public StreamMapping {
    filters = List.copyOf(filters);
  }

  /// Reads the filters of the settings.
  public StreamMapping(
      LambdaFunction function, TableStream settings, FailureDestination onFailure) {
    this(function, settings, patterns(settings.filters()), onFailure);
  }

  boolean takes(StreamEntry entry) {
    if (filters.isEmpty()) {
      return true;
    }
    var view = entry.view();
    return filters.stream().anyMatch(filter -> filter.matches(view));
  }

  private static List<FilterPattern> patterns(List<JsonNode> patterns) {
    return patterns.stream().map(FilterPattern::of).toList();
  }
}
