package dev.runyard.simulator;

import dev.runyard.core.event.ActionType;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.StreamLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What a scripted agent does from its beginning, the same whenever it is executed again.
///
/// @param loud whether it tells a thousand things a second
record AgentScript(List<Act> acts, boolean loud) {
  private static final List<ActionType> TYPES = List.of(ActionType.values());

  /// What a loud one tells: twice what lies between two snapshots.
  private static final int LOUD_TELLS = 2 * StreamLog.SNAPSHOT_EVENTS;

  /// One thing an agent does.
  sealed interface Act {
    /// Tells output number `index`.
    record Tell(int index) implements Act {}

    /// Tells output number `index`, for which no event has room.
    record Spill(int index) implements Act {}

    /// Asks a person and waits for the decision.
    record Ask(ActionType type, int timeoutSeconds) implements Act {}

    /// Waits for a message.
    record Pop() implements Act {}

    record End(boolean fails) implements Act {}
  }

  AgentScript {
    acts = List.copyOf(acts);
  }

  AgentScript(List<Act> acts) {
    this(acts, false);
  }

  /// Fails at once.
  static AgentScript failing() {
    return new AgentScript(List.of(new Act.Tell(0), new Act.End(true)));
  }

  /// Has very much to tell.
  static AgentScript loud(boolean fails) {
    List<Act> acts = new ArrayList<>();
    for (int i = 0; i < LOUD_TELLS; i++) {
      acts.add(new Act.Tell(USES_EVERY * i));
    }
    acts.add(new Act.End(fails));
    return new AgentScript(acts, true);
  }

  /// One output of so many tells what was used.
  static final int USES_EVERY = 5;

  /// True when it ends by itself, whatever people do.
  boolean endsByItself() {
    return acts.stream().noneMatch(act -> act instanceof Act.Ask || act instanceof Act.Pop)
        && acts.stream().anyMatch(Act.End.class::isInstance);
  }

  /// @param lasting whether it may ask a person who takes a day to answer
  static AgentScript random(Random random, boolean lasting) {
    List<Act> acts = new ArrayList<>();
    int count = random.nextInt(12);
    boolean talks = random.nextInt(5) > 1;
    for (int i = 0; i < count; i++) {
      int dice = talks ? random.nextInt(8) : 8;
      if (dice == 0) {
        acts.add(
            new Act.Ask(
                TYPES.get(random.nextInt(TYPES.size())),
                lasting && random.nextBoolean()
                    ? Limits.AWAIT_SECONDS_DEFAULT
                    : 10 + random.nextInt(random.nextInt(3) == 0 ? 400 : 120)));
      } else if (dice == 1) {
        acts.add(new Act.Pop());
      } else if (random.nextInt(6) == 0) {
        acts.add(new Act.Spill(i));
      } else {
        acts.add(new Act.Tell(i));
      }
    }
    if (random.nextInt(10) > 0) {
      acts.add(new Act.End(random.nextInt(4) == 0));
    }
    return new AgentScript(acts);
  }
}
