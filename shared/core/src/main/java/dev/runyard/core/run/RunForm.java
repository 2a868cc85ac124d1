package dev.runyard.core.run;

import dev.runyard.core.event.TaskBlocked;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.RunRequest;
import org.jspecify.annotations.Nullable;

/// The form of a run: a number that a release raises when it writes something into the logs of new
/// runs that an older release must not pass over, such as a limit of the run. Readers pass over
/// members and events they do not know, so most releases raise nothing.
///
/// Functions and runners are replaced one after the other, and may be rolled back. Whoever finds a
/// run of a form that it does not know can show and cancel it, but does not execute it.
public final class RunForm {
  /// The form of runs whose log names none.
  public static final int FIRST = 1;

  /// The form of runs in a thread that they name: what their agent remembers, and its files, are
  /// the thread's. A release that knows no such threads would give them the session's.
  static final int NAMED_THREAD = 2;

  /// The newest form that this release knows.
  public static final int CURRENT = NAMED_THREAD;

  /// Why a run of a newer form waits, in one word.
  static final String NEWER_CAUSE = "newer_release";

  private static final Failure NEWER =
      new Failure(
          Failure.NOT_STARTED,
          Category.CAPACITY,
          "A newer release of Runyard accepted the run, and this one cannot execute it. Deploy that"
              + " release again, or cancel the run and submit it anew.");

  private RunForm() {}

  /// The form of the run that a request becomes.
  static int of(RunRequest request) {
    InThread inThread = request.inThread();
    return inThread == null || inThread.threadId() == null ? FIRST : NAMED_THREAD;
  }

  /// What a log says of a form: the first one needs no word.
  static @Nullable Integer stored(int form) {
    return form == FIRST ? null : form;
  }

  /// True for a form that this release does not know.
  static boolean newer(@Nullable Integer stored) {
    return stored != null && stored > CURRENT;
  }

  /// What a run that waits for a release that knows its form is told, once.
  static Decision tell(RunState.Waiting waiting) {
    RunState.Blocked told = waiting.blocked();
    return told != null && told.tells(NEWER_CAUSE)
        ? Decision.stay()
        : Decision.append(new TaskBlocked(NEWER_CAUSE, NEWER));
  }

  /// Ends a run for which no such release came in time.
  static Decision end(RunFacts facts) {
    return AdvanceRules.failed(facts, NEWER);
  }
}
