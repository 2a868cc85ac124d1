package dev.runyard.core.event;

/// Comes with an `action.required` of type permission.
@EventType("permission.requested")
public record PermissionRequested(String actionId) implements RunEvent.Request {}
