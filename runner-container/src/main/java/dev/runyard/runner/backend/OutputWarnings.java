package dev.runyard.runner.backend;

import dev.runyard.core.event.RunEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Warnings about lines that are not understood: one for each type, never with the line. Not
/// thread-safe.
public final class OutputWarnings {
  static final int UNKNOWN_TYPES_MAX = 16;
  private static final Pattern TYPE_NAME = Pattern.compile("[a-z][a-z0-9_./ ]{0,63}");

  private final String agent;
  private final Set<String> unknown = new HashSet<>();
  private boolean unreadable;

  /// @param agent its name for people
  public OutputWarnings(String agent) {
    this.agent = agent;
  }

  /// For a line that is not an event.
  public List<RunEvent> unreadable() {
    if (unreadable) {
      return List.of();
    }
    unreadable = true;
    return List.of(
        new RunEvent.RuntimeWarning(
            "unreadable_output",
            agent + " printed something that is not an event; lines like it are left out."));
  }

  /// For an event of an unknown type.
  public List<RunEvent> unknown(String type) {
    String name = TYPE_NAME.matcher(type).matches() ? type : "unnamed";
    if (unknown.size() == UNKNOWN_TYPES_MAX || !unknown.add(name)) {
      return List.of();
    }
    return List.of(
        new RunEvent.RuntimeWarning(
            "unknown_output",
            "%s printed a type of event that is not known here and is left out: %s"
                .formatted(agent, name)));
  }
}
