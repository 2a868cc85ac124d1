package dev.runyard.local.rights;

import java.util.List;
import java.util.Locale;

/// One action on one resource that a statement allows or denies; a statement with several of them
/// is as many permissions.
///
/// @param origin the statement's place in the template, for messages
/// @param implied whether it is for what the service does on the function's behalf
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

  /// Names of actions are case-insensitive, everything else is case-sensitive.
  boolean covers(Call call) {
    return Wildcard.covers(lower(action), lower(call.action()))
        && Wildcard.covers(resource, call.resource())
        && conditions.stream().allMatch(condition -> condition.holds(call.facts()));
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
