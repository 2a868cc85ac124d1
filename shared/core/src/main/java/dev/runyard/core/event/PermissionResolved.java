package dev.runyard.core.event;

/// Comes with the `action.resolved` of a permission.
@EventType("permission.resolved")
public record PermissionResolved(String actionId, ActionDecision decision)
    implements RunEvent.Resolution {}
