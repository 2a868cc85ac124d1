package dev.runyard.testkit.simulator;

import dev.runyard.core.log.Chunk;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.run.RunKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/// A stream function behind its event source: batches of changed chunks that carry a state, retried
/// from the failed record on, replayed from earlier at times, and parked when a record fails too
/// often.
final class StreamActor implements Actor {
  private static final int BATCH_MAX = 8;
  private static final int TRIES_MAX = 4;

  private final List<Chunk> stream;
  private final Consumer<RunKey> function;
  private final RunQueue parked;
  private final InstantSource clock;
  private final Random random;
  private Instant next;
  private int position;
  private int tries;
  private boolean faulty = true;

  StreamActor(
      List<Chunk> stream,
      Consumer<RunKey> function,
      RunQueue parked,
      InstantSource clock,
      Random random) {
    this.stream = stream;
    this.function = function;
    this.parked = parked;
    this.clock = clock;
    this.random = random;
    this.next = clock.instant();
  }

  void faultsOff() {
    faulty = false;
    next = clock.instant();
  }

  boolean drained() {
    return position == stream.size();
  }

  @Override
  public Instant nextAt() {
    return next;
  }

  @Override
  public void act() {
    if (faulty && random.nextInt(50) == 0) {
      position = Math.max(0, position - random.nextInt(10));
    }
    int end = Math.min(stream.size(), position + 1 + random.nextInt(BATCH_MAX));
    for (int i = position; i < end; i++) {
      Chunk chunk = stream.get(i);
      if (chunk.state().isPresent() && !handled(chunk.run())) {
        position = i;
        return;
      }
    }
    position = end;
    tries = 0;
    if (faulty && random.nextInt(20) == 0) {
      next = clock.instant().plusSeconds(random.nextInt(90));
    }
  }

  private boolean handled(RunKey run) {
    try {
      function.accept(run);
      return true;
    } catch (PortUnavailable _) {
      if (++tries < TRIES_MAX) {
        return false;
      }
      tries = 0;
      return park(run);
    }
  }

  private boolean park(RunKey run) {
    try {
      parked.send(run, 0);
      return true;
    } catch (PortUnavailable _) {
      return false;
    }
  }

  @Override
  public void crashed() {
    tries++;
  }
}
