package dev.runyard.agent.hub;

import java.util.List;

/// The types of events that a listener wants.
record Filter(List<String> patterns) {
  static final Filter ALL = new Filter(List.of("*"));

  Filter {
    patterns = List.copyOf(patterns);
  }

  boolean lets(String type) {
    return patterns.stream().anyMatch(pattern -> matches(pattern, type));
  }

  private static boolean matches(String pattern, String type) {
    return pattern.endsWith("*")
        ? type.startsWith(pattern.substring(0, pattern.length() - 1))
        : pattern.equals(type);
  }
}
