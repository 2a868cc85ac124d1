package dev.runyard.local.rights;

import java.util.List;
import java.util.Locale;

/// One action on one resource that a statement allows or denies; a statement with more of them is
/// as many permissions.
///
/// @param origin where the statement stands, for messages
/// @param implied whether SAM adds it by itself, for what the service does in the function's name
public record Permission(
    String origin,
    boolean allows,
    boolean implied,
    String action,
    String resource,
    List<Condition> conditions) {

  public Permission {
    conditions = List.copyOf(conditions);
  }

  /// The names of actions ignore case, everything else does not.
  boolean covers(Call call) {
    return Wildcard.covers(lower(action), lower(call.action()))
        && Wildcard.covers(resource, call.resource())
        && conditions.stream().allMatch(condition -> condition.holds(call.facts()));
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
