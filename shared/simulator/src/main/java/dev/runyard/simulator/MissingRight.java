package dev.runyard.simulator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// A right that some roles lack for good from a time on, as after a change of a policy.
///
/// @param roles whose calls are refused
record MissingRight(Set<Role> roles, Right right, Instant from) {
  private static final Set<Role> DECIDING = EnumSet.of(Role.ADVANCE, Role.SWEEP);
  private static final int LATE_SECONDS_MAX = 120;

  /// Each right that some role needs, missing once.
  static List<MissingRight> all(Instant from) {
    List<MissingRight> all = new ArrayList<>();
    for (Role role : Role.values()) {
      Right.of(role).forEach(right -> all.add(new MissingRight(EnumSet.of(role), right, from)));
    }
    Right.DECIDING.forEach(right -> all.add(new MissingRight(DECIDING, right, from)));
    return all;
  }

  /// A right that some role needs. Half of them are missing from the beginning.
  static MissingRight random(Random random, Instant begin) {
    Instant from =
        random.nextBoolean() ? begin : begin.plusSeconds(random.nextInt(LATE_SECONDS_MAX));
    List<MissingRight> all = all(from);
    return all.get(random.nextInt(all.size()));
  }

  /// True if runs wait for a runner until their time is over.
  boolean keepsRunsFromRunners() {
    return right == Right.QUEUE_RECEIVE || right == Right.QUEUE_SEND;
  }

  boolean hits(Role role, Right needed, Instant now) {
    return needed == right && roles.contains(role) && !now.isBefore(from);
  }
}
