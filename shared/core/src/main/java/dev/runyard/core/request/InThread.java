package dev.runyard.core.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TurnIds;
import org.jspecify.annotations.Nullable;

/// The thread and the turn that a request names, and what is to happen if the thread has a turn
/// already.
///
/// @param threadId null for the thread that the session has by itself
/// @param turnId null for a turn that is named after its run
/// @param busy null once that is decided, and where the turn just waits
/// @param traceId of the trace that the request was part of; null if it named none
@JsonInclude(JsonInclude.Include.NON_NULL)
public record InThread(
    @Nullable String threadId,
    @Nullable String turnId,
    @Nullable Busy busy,
    @Nullable String traceId) {
  public InThread(@Nullable String threadId, @Nullable String turnId, @Nullable Busy busy) {
    this(threadId, turnId, busy, null);
  }

  /// What a request says of its turn; null if that is nothing.
  public static @Nullable InThread of(
      @Nullable String threadId, @Nullable String turnId, @Nullable Busy busy) {
    return of(threadId, turnId, busy, null);
  }

  private static @Nullable InThread of(
      @Nullable String threadId,
      @Nullable String turnId,
      @Nullable Busy busy,
      @Nullable String traceId) {
    return threadId == null && turnId == null && busy == null && traceId == null
        ? null
        : new InThread(threadId, turnId, busy, traceId);
  }

  /// The same once it is decided what becomes of the turn, as part of a trace.
  static @Nullable InThread decided(@Nullable InThread said, @Nullable String traceId) {
    return said == null
        ? of(null, null, null, traceId)
        : of(said.threadId, said.turnId, null, traceId);
  }

  /// What the ids of a run say beyond its session and its own id.
  public static @Nullable InThread of(RunKey run, TurnIds ids) {
    TurnIds plain = TurnIds.of(run, ids.sessionId());
    return of(
        ids.threadId().equals(plain.threadId()) ? null : ids.threadId(),
        ids.turnId().equals(plain.turnId()) ? null : ids.turnId(),
        null,
        ids.traceId());
  }
}
