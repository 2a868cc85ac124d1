package dev.runyard.core.agent;

import java.util.Objects;
import java.util.regex.Pattern;

/// The name of a kind of agent, such as `codex`. The set is open; only the grammar is fixed.
public record AgentKind(String name) implements Comparable<AgentKind> {
  public static final int BYTES_MAX = 64;
  private static final Pattern GRAMMAR = Pattern.compile("[a-z][a-z0-9_]*");

  public AgentKind {
    Objects.requireNonNull(name);
    if (!isKind(name)) {
      throw new IllegalArgumentException("not an agent kind");
    }
  }

  /// True for `^[a-z][a-z0-9_]*$` of at most [#BYTES_MAX] bytes.
  public static boolean isKind(String text) {
    return text.length() <= BYTES_MAX && GRAMMAR.matcher(text).matches();
  }

  @Override
  public int compareTo(AgentKind other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
