package dev.runyard.simulator;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.queue.RunQueue;

/// The defect of [Defect#TURN_COUNTED_AS_WAIT]: the queue also counts runs that have no message in
/// it.
final class BehindCounted extends PassingQueue {
  private final SimulatedLog log;

  BehindCounted(SimulatedLog log, RunQueue queue) {
    super(queue);
    this.log = log;
  }

  @Override
  public Depth depth() {
    Depth depth = super.depth();
    int behind = (int) log.runs().stream().filter(this::isBehind).count();
    return new Depth(depth.waiting() + behind, depth.inFlight());
  }

  private boolean isBehind(RunKey run) {
    return log.events(run).getLast().event() instanceof RunEvent.TaskQueued queued
        && queued.behind() != null;
  }
}
