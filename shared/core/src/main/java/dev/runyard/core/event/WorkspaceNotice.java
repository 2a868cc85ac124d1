package dev.runyard.core.event;

import org.jspecify.annotations.Nullable;

/// How the files came into being that an agent starts with. Written with the agent's start, or with
/// the failure that kept it from starting.
public sealed interface WorkspaceNotice extends RunEvent.RunnerNotice {
  /// The files are there: where they come from, and for a repository which commit. Every later
  /// attempt of the run begins with the same commit.
  ///
  /// @param source as requests name it
  /// @param url without a user's name
  /// @param ref as it was asked for
  /// @param commit its id
  @EventType("context.resolved")
  record ContextResolved(
      String source,
      @Nullable String url,
      @Nullable String ref,
      @Nullable String commit,
      long files,
      long bytes,
      long durationMillis)
      implements WorkspaceNotice {}

  /// A command that makes the files ready has ended.
  ///
  /// @param hook what it is a part of
  /// @param command which of the request's commands, from 1 on
  /// @param exitCode absent if a signal ended it, or its time
  /// @param preview what it printed, or parts of that
  @EventType("hook.completed")
  record HookCompleted(
      String hook,
      int command,
      @Nullable Integer exitCode,
      @Nullable Integer signal,
      long durationMillis,
      String preview)
      implements WorkspaceNotice {}
}
