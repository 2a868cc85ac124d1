package dev.runyard.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/// One event of a run from the stream. `body` is the whole event, in the requested view; its `type`
/// and `payload` are read leniently, since a newer server may send more than this client knows.
public record ClientEvent(long sequence, String type, JsonNode body) {
  private static final Set<String> TERMINAL =
      Set.of("task.completed", "task.failed", "task.cancelled", "task.timed_out", "task.lost");

  /// True when nothing can follow in this run.
  public boolean terminal() {
    return TERMINAL.contains(type);
  }

  public JsonNode payload() {
    return body.path("payload");
  }
}
