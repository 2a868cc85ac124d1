package dev.runyard.runner.isolation;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Kills what a user of attempts has, until nothing is left.
///
/// A kill is one step that nothing outruns; it is repeated at once for what becomes this user only
/// then. But what is killed needs a processor to end, and attempts give way to all others: where
/// many want one, it takes seconds to die, and a killer that never rests is one more that it waits
/// for.
final class UserKill {
  /// How often it is killed at once.
  static final int AT_ONCE_MAX = 20;

  /// How often it is then looked at after a pause: for a minute.
  static final int PAUSES_MAX = 3_000;

  /// The same for all of [Brief] together: for a second.
  static final int PAUSES_BRIEF_MAX = 50;

  static final int PAUSE_MILLIS = 20;

  private UserKill() {}

  /// Waits for what takes time to die; false if something will not.
  static boolean patiently(AgentUser user) {
    return patiently(() -> !user.hasProcess(), user::killAll, UserKill::pause);
  }

  static boolean patiently(BooleanSupplier gone, Runnable kill, Runnable pause) {
    for (int i = 0; i < AT_ONCE_MAX + PAUSES_MAX; i++) {
      if (gone.getAsBoolean()) {
        return true;
      }
      kill.run();
      if (i >= AT_ONCE_MAX) {
        pause.run();
      }
    }
    return gone.getAsBoolean();
  }

  /// What one who must not wait has for all users together: an attempt that begins, or a runner
  /// that ends what another left, shows no sign of life meanwhile. Not thread-safe.
  static final class Brief {
    private final Runnable pause;
    private int left = PAUSES_BRIEF_MAX;

    Brief() {
      this(UserKill::pause);
    }

    Brief(Runnable pause) {
      this.pause = pause;
    }

    /// Waits only for what dies as usual; false if something is left.
    boolean kill(AgentUser user) {
      return gone(() -> !user.hasProcess(), user::killAll);
    }

    /// The same for a user that was killed, and that may be somebody else by now.
    void await(AgentUser user) {
      boolean _ = gone(() -> !user.hasProcess(), () -> {});
    }

    boolean gone(BooleanSupplier gone, Runnable kill) {
      while (!gone.getAsBoolean()) {
        kill.run();
        if (left == 0) {
          return false;
        }
        left--;
        pause.run();
      }
      return true;
    }
  }

  private static void pause() {
    LockSupport.parkNanos(Duration.ofMillis(PAUSE_MILLIS).toNanos());
  }
}
