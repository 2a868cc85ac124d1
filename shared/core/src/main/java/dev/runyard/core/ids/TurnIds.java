package dev.runyard.core.ids;

import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where a run's turn is: its session, one of the threads of that session, and the turn's own name
/// there. A run that names neither thread nor turn has the names that follow from its session and
/// its id.
///
/// @param traceId of the trace that the request was part of; null if it named none
/// @param item the item of a job that the run is of; null for one that somebody submitted
/// @param above the tasks that the run is a part of; null for one that is its own task
public record TurnIds(
    String sessionId,
    String threadId,
    String turnId,
    @Nullable String traceId,
    @Nullable ItemIds item,
    @Nullable TaskIds above) {
  private static final String THREAD = "thread-";
  private static final String TURN = "turn-";
  private static final Pattern THREAD_OF_SESSION =
      Pattern.compile(THREAD + "[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  public TurnIds {
    Objects.requireNonNull(sessionId);
    Objects.requireNonNull(threadId);
    Objects.requireNonNull(turnId);
  }

  /// Those of a run that somebody submitted.
  public TurnIds(String sessionId, String threadId, String turnId) {
    this(sessionId, threadId, turnId, null, null, null);
  }

  /// The same for the run of an item.
  public TurnIds of(@Nullable ItemIds other) {
    return new TurnIds(sessionId, threadId, turnId, traceId, other, above);
  }

  /// Those of a run that names no more than its session.
  public static TurnIds of(RunKey run, String sessionId) {
    return new TurnIds(sessionId, threadOf(sessionId), turnOf(run.runId()));
  }

  /// The thread of runs that name only their session.
  public static String threadOf(String sessionId) {
    return THREAD + sessionId;
  }

  /// The session whose runs are in that thread because they name no other: the rest of the name, if
  /// it has the form of such a thread's; else the text itself.
  public static String sessionOf(String threadId) {
    return isThreadOfSession(threadId) ? threadId.substring(THREAD.length()) : threadId;
  }

  /// True for the name of a thread that a session has by itself.
  public static boolean isThreadOfSession(String threadId) {
    return THREAD_OF_SESSION.matcher(threadId).matches();
  }

  /// The turn of a run that names none.
  public static String turnOf(String runId) {
    return TURN + runId;
  }

  /// The id in the name of a turn that its run did not name; else the text itself.
  public static String runOf(String turnId) {
    return turnId.startsWith(TURN) ? turnId.substring(TURN.length()) : turnId;
  }
}
