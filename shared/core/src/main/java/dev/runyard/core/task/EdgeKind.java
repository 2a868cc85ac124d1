package dev.runyard.core.task;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a task has to do with another thing.
public enum EdgeKind {
  PARENT,
  CHILD,
  BLOCKS,
  BLOCKED_BY,
  SOURCE_TASK,
  SOURCE_ATTEMPT,
  SPAWNED_SUBAGENT,
  ASSIGNED_THREAD,
  PRODUCED_ARTIFACT,
  CONSUMED_ARTIFACT,
  EVIDENCE;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<EdgeKind> of(String wire) {
    return Arrays.stream(values()).filter(kind -> kind.wire().equals(wire)).findFirst();
  }

  /// What the task at the other end has to do with this one; null where there is no task, or it
  /// need not know.
  public @Nullable EdgeKind inverse() {
    return switch (this) {
      case PARENT -> CHILD;
      case CHILD -> PARENT;
      case BLOCKS -> BLOCKED_BY;
      case BLOCKED_BY -> BLOCKS;
      case SOURCE_TASK,
          SOURCE_ATTEMPT,
          SPAWNED_SUBAGENT,
          ASSIGNED_THREAD,
          PRODUCED_ARTIFACT,
          CONSUMED_ARTIFACT,
          EVIDENCE ->
          null;
    };
  }

  /// True for the end whose log decides whether the edge is there.
  boolean decides() {
    return this == PARENT || this == BLOCKED_BY;
  }
}
