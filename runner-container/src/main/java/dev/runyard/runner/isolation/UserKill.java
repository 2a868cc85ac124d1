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

  /// The same where others wait: for a second.
  static final int PAUSES_BRIEF_MAX = 50;

  static final int PAUSE_MILLIS = 20;

  private UserKill() {}

  /// Waits only for what dies as usual; false if something is left.
  static boolean briefly(AgentUser user) {
    return briefly(() -> !user.hasProcess(), user::killAll, UserKill::pause);
  }

  /// Waits as long for what was killed already.
  static void awaitBriefly(AgentUser user) {
    boolean _ = briefly(() -> !user.hasProcess(), () -> {}, UserKill::pause);
  }

  static boolean briefly(BooleanSupplier gone, Runnable kill, Runnable pause) {
    return until(gone, kill, PAUSES_BRIEF_MAX, pause);
  }

  /// Waits for what takes time to die; false if something will not.
  static boolean patiently(AgentUser user) {
    return patiently(() -> !user.hasProcess(), user::killAll, UserKill::pause);
  }

  static boolean patiently(BooleanSupplier gone, Runnable kill, Runnable pause) {
    return until(gone, kill, PAUSES_MAX, pause);
  }

  private static boolean until(BooleanSupplier gone, Runnable kill, int pauses, Runnable pause) {
    for (int i = 0; i < AT_ONCE_MAX + pauses; i++) {
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

  private static void pause() {
    LockSupport.parkNanos(Duration.ofMillis(PAUSE_MILLIS).toNanos());
  }
}
