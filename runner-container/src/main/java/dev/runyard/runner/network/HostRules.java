package dev.runyard.runner.network;

import java.util.List;
import java.util.Locale;

/// Which hosts an agent may reach: names as they stand, and `*.` before a name for all below it.
/// Ports are 80 and 443, or the one that a rule names.
///
/// @param rules as in `runyard.network.v1`
record HostRules(List<String> rules) {
  private static final List<Integer> WEB = List.of(80, 443);

  HostRules {
    rules = rules.stream().map(rule -> rule.toLowerCase(Locale.ROOT)).toList();
  }

  boolean allows(Destination to) {
    return rules.stream().anyMatch(rule -> allows(rule, to));
  }

  private static boolean allows(String rule, Destination to) {
    int colon = rule.lastIndexOf(':');
    String host = colon < 0 ? rule : rule.substring(0, colon);
    boolean port =
        colon < 0
            ? WEB.contains(to.port())
            : rule.substring(colon + 1).equals(String.valueOf(to.port()));
    return port
        && (host.startsWith("*.") ? to.host().endsWith(host.substring(1)) : to.host().equals(host));
  }
}
