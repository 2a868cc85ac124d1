package dev.runyard.testkit.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/// A stream function behind its event source: batches of changed chunks that carry a state, retried
/// from the failed record on, replayed from earlier at times, and set aside when a record fails too
/// often.
final class StreamActor implements Actor {
  private static final int BATCH_MAX = 8;
  private static final int TRIES_MAX = 4;
  private static final int FUNCTION_SECONDS = 30;
  private static final int LATE_MILLIS = 300;

  private final SimulatedCaller caller = new SimulatedCaller(FUNCTION_SECONDS);
  private final List<Chunk> stream;
  private final Consumer<RunKey> function;
  private final RunQueue streamFailures;
  private final Faults faults;
  private final InstantSource clock;
  private final Random random;
  private Instant next;
  private int position;
  private int tries;

  StreamActor(
      List<Chunk> stream,
      Function<SimulatedCaller, Consumer<RunKey>> function,
      SimulatedSystem system,
      InstantSource clock,
      Random random) {
    this.stream = stream;
    this.function = function.apply(caller);
    this.streamFailures = system.ports(caller).streamFailures();
    this.faults = system.faults();
    this.clock = clock;
    this.random = random;
    this.next = clock.instant();
  }

  void wake() {
    next = clock.instant();
  }

  boolean drained() {
    return position == stream.size();
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    return drained() ? Instant.MAX : next;
  }

  @Override
  public void act() {
    next = clock.instant().plusMillis(1L + random.nextInt(LATE_MILLIS));
    if (faults.strikes(Fault.LATE_STREAM, 0.02)) {
      position = Math.max(0, position - random.nextInt(10));
    }
    int end = Math.min(stream.size(), position + 1 + random.nextInt(BATCH_MAX));
    for (int i = position; i < end; i++) {
      Chunk chunk = stream.get(i);
      if (chunk.state().isPresent() && !handled(RunKey.of(chunk.key()))) {
        position = i;
        return;
      }
    }
    position = end;
    tries = 0;
    if (faults.strikes(Fault.LATE_STREAM, 0.05)) {
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
      return setAside(run);
    }
  }

  private boolean setAside(RunKey run) {
    try {
      streamFailures.send(run, 0);
      return true;
    } catch (PortUnavailable _) {
      return false;
    }
  }

  /// The same records come again, for as long as it takes: a killed call sets nothing aside.
  @Override
  public void crashed() {
    next = clock.instant().plusMillis(LATE_MILLIS);
  }
}
