package dev.runyard.core.event;

/// What became of what the agent changed: whether it is stored, and whether it is published.
public sealed interface ChangeNotice extends RunEvent.RunnerNotice
    permits PublishNotice, SnapshotUpdated {}
