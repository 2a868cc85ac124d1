package dev.runyard.core.event;

import dev.runyard.core.problem.Failure;

/// Runners do not start: `cause` in one word, `error` says what to do. Written for each cause.
@EventType("task.blocked")
public record TaskBlocked(String cause, Failure error) implements RunEvent.Notice {}
