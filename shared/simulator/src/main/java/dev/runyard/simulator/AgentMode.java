package dev.runyard.simulator;

import dev.runyard.core.request.RunRequest;
import java.util.Map;

/// How the agent of a run goes on in another attempt.
enum AgentMode {
  /// It is executed again and given what it was given before.
  REPLAYED,
  /// It is resumed in its session, with the files it worked on.
  RESUMED,
  /// It remembers its session, but nobody keeps its files: it holds its place while it waits.
  STAYS;

  private static final String TAG = "agent";

  /// The mode that a request's tags name.
  static AgentMode of(Map<String, String> tags) {
    return valueOf(tags.getOrDefault(TAG, REPLAYED.name()));
  }

  static AgentMode of(RunRequest request) {
    return of(request.tags());
  }

  /// Names this mode in a request.
  Map.Entry<String, String> tag() {
    return Map.entry(TAG, name());
  }

  /// True when it keeps a session of its own from one run to the next.
  boolean remembers() {
    return this != REPLAYED;
  }
}
