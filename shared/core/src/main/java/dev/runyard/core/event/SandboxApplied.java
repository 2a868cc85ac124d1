package dev.runyard.core.event;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What keeps the agent's processes apart, written when the first one is started: the level and why
/// it is in force, their user if it is theirs alone, the limits that are held, what files and
/// network they reach, and what is not enforced.
@EventType("sandbox.applied")
public record SandboxApplied(
    String level,
    String reason,
    @Nullable Integer uid,
    Map<String, Long> limits,
    String files,
    String network,
    List<String> notEnforced)
    implements RunEvent.RunnerNotice {}
