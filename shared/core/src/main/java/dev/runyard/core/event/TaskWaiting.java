package dev.runyard.core.event;

/// Comes with every `action.required`; `phase` is what the run waits for.
@EventType("task.waiting")
public record TaskWaiting(String actionId, String phase) implements RunEvent.Request {}
