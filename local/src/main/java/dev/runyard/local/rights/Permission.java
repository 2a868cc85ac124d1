package dev.runyard.local.rights;

import java.util.List;

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

  boolean covers(Call call) {
    return Wildcard.covers(action, call.action(), true)
        && Wildcard.covers(resource, call.resource(), false)
        && conditions.stream().allMatch(condition -> condition.holds(call.facts()));
  }
}
