package dev.runyard.testkit.simulator;

import dev.runyard.core.event.ActionType;
import dev.runyard.core.limits.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What a scripted agent does from its beginning, the same whenever it is executed again.
record AgentScript(List<Act> acts) {
  private static final List<ActionType> TYPES = List.of(ActionType.values());

  /// One thing an agent does.
  sealed interface Act {
    /// Tells output number `index`.
    record Tell(int index) implements Act {}

    /// Asks a person and waits for the decision.
    record Ask(ActionType type, int timeoutSeconds) implements Act {}

    /// Waits for a message.
    record Pop() implements Act {}

    record End(boolean fails) implements Act {}
  }

  AgentScript {
    acts = List.copyOf(acts);
  }

  /// True when it ends by itself, whatever people do.
  boolean endsByItself() {
    return acts.stream().noneMatch(act -> act instanceof Act.Ask || act instanceof Act.Pop)
        && acts.stream().anyMatch(Act.End.class::isInstance);
  }

  /// @param lasting whether it may ask a person who takes a day to answer
  static AgentScript random(Random random, boolean lasting) {
    List<Act> acts = new ArrayList<>();
    int count = random.nextInt(12);
    boolean talks = random.nextInt(2) == 0;
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
