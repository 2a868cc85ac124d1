package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What invokes a function, with its settings.
public sealed interface EventSource {

  /// An HTTP method and path of the API.
  ///
  /// @param path an API Gateway path template, such as `/v1/runs/{id}` or `/files/{name+}`
  /// @param method upper case; `ANY` for all
  /// @param streamed whether the response is streamed
  /// @param open whether anybody may call it, as its `Auth` says
  record ApiRoute(String method, String path, boolean streamed, boolean open)
      implements EventSource {}

  /// The changes of a table, in the order they were made.
  ///
  /// @param table logical id of the table whose stream is read
  /// @param filters patterns of which one must match; empty takes every record
  /// @param retriesMax attempts after the first; empty is without limit
  /// @param recordAgeMax empty is without limit
  /// @param onFailure logical id of the queue that gets notes of records that were given up
  record TableStream(
      String table,
      StartingPosition start,
      int batchSize,
      Duration batchingWindow,
      List<JsonNode> filters,
      boolean partialResponses,
      boolean bisects,
      Optional<Integer> retriesMax,
      Optional<Duration> recordAgeMax,
      Optional<String> onFailure)
      implements EventSource {

    public TableStream {
      filters = List.copyOf(filters);
    }
  }

  /// The messages of a queue.
  ///
  /// @param queue logical id
  record QueueMessages(
      String queue,
      int batchSize,
      Duration batchingWindow,
      List<JsonNode> filters,
      boolean partialResponses)
      implements EventSource {

    public QueueMessages {
      filters = List.copyOf(filters);
    }
  }

  /// Points in time.
  ///
  /// @param expression `rate(...)` or `cron(...)`
  /// @param input the event instead of the usual one
  record Schedule(String name, String expression, Optional<JsonNode> input)
      implements EventSource {}

  enum StartingPosition {
    TRIM_HORIZON,
    LATEST
  }
}
