package dev.runyard.simulator;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.util.List;

/// The defect of [Defect#TURN_COUNTED_AS_WAIT]: the queue also counts runs that have no message in
/// it.
record BehindCounted(SimulatedLog log, RunQueue queue) implements RunQueue {
  @Override
  public void send(QueueMessage message, int delaySeconds) {
    queue.send(message, delaySeconds);
  }

  @Override
  public List<Ticket> receive(int max, int waitSeconds) {
    return queue.receive(max, waitSeconds);
  }

  @Override
  public List<Ticket> extend(List<Ticket> tickets, int seconds) {
    return queue.extend(tickets, seconds);
  }

  @Override
  public void delete(Ticket ticket) {
    queue.delete(ticket);
  }

  @Override
  public Depth depth() {
    Depth depth = queue.depth();
    int behind = (int) log.runs().stream().filter(this::isBehind).count();
    return new Depth(depth.waiting() + behind, depth.inFlight());
  }

  private boolean isBehind(RunKey run) {
    return log.events(run).getLast().event() instanceof RunEvent.TaskQueued queued
        && queued.behind() != null;
  }
}
