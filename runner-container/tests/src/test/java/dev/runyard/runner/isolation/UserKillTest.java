package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UserKillTest {
  private final AtomicInteger kills = new AtomicInteger();
  private final AtomicInteger pauses = new AtomicInteger();

  @Test
  void outrunsWhatForks() {
    assertTrue(killed(UserKill.AT_ONCE_MAX - 1, Integer.MAX_VALUE));

    assertEquals(UserKill.AT_ONCE_MAX - 1, kills.get());
    assertEquals(0, pauses.get());
  }

  @Test
  void leavesTimeToWhatGivesWayToAllOthers() {
    assertTrue(killed(Integer.MAX_VALUE, UserKill.PAUSES_MAX - 1));

    assertEquals(UserKill.PAUSES_MAX - 1, pauses.get());
  }

  @Test
  void givesUpWhatWillNotDie() {
    assertFalse(killed(Integer.MAX_VALUE, Integer.MAX_VALUE));

    assertEquals(UserKill.PAUSES_MAX, pauses.get());
  }

  @Test
  void waitsNoLongerThanASecondWhereOthersWait() {
    UserKill.Brief brief = new UserKill.Brief(pauses::incrementAndGet);

    assertFalse(brief.gone(() -> false, kills::incrementAndGet));
    assertEquals(UserKill.PAUSES_BRIEF_MAX, pauses.get());

    assertFalse(brief.gone(() -> false, kills::incrementAndGet));
    assertEquals(UserKill.PAUSES_BRIEF_MAX, pauses.get());
    assertEquals(UserKill.PAUSES_BRIEF_MAX + 2, kills.get());
  }

  /// Kills something that is gone after so many kills, or pauses.
  private boolean killed(int afterKills, int afterPauses) {
    return UserKill.patiently(
        () -> kills.get() >= afterKills || pauses.get() >= afterPauses,
        kills::incrementAndGet,
        pauses::incrementAndGet);
  }
}
