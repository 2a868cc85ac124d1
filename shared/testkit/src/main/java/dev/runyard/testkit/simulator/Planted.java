package dev.runyard.testkit.simulator;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.session.SessionQueue;

/// What is put in the place of a port to plant a defect.
final class Planted {
  /// Names the stream functions in what they write.
  static final String DRIVER = "function";

  private Planted() {}

  static SessionQueue turns(Defect defect, SessionQueue kept) {
    return defect == Defect.TURNS_WRITTEN_WITHOUT_CONDITION
        ? new UnconditionalSessionQueue(kept)
        : kept;
  }

  /// The order of turns as the process of that name may use it.
  static SessionQueue turns(Defect defect, SessionQueue kept, String writer) {
    return defect == Defect.TURNS_REFUSED_TO_DRIVER && writer.equals(DRIVER)
        ? new RefusedTurns()
        : kept;
  }

  /// The queue as an attempt uses it.
  static RunQueue lease(Defect defect, RunQueue queue) {
    return defect == Defect.DEAD_LETTER_ENDS_LIVING_ATTEMPT ? new HidingQueue(queue) : queue;
  }

  /// A right that is missing for good.
  private record RefusedTurns() implements SessionQueue {
    @Override
    public Turns read(String tenant, String sessionId) {
      throw new PortUnavailable("simulated missing right");
    }

    @Override
    public boolean write(String tenant, String sessionId, Turns next) {
      throw new PortUnavailable("simulated missing right");
    }
  }
}
