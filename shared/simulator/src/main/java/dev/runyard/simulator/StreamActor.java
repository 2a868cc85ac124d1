package dev.runyard.simulator;

import dev.runyard.core.batch.StreamRecord;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.Chunk;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/// One of the parallel copies of a stream function, with its event source: batches of the changes
/// of its own streams, in order, at least once. A record that the function reports comes again with
/// all after it; a call that dies is repeated with half of the batch; a record that fails too often
/// is given up. At times a copy also gets records of another.
final class StreamActor implements Actor {
  /// Copies of each function.
  static final int COPIES = 2;

  private static final int BATCH_MAX = 8;
  private static final int RETRIES_MAX = 100;
  private static final int FUNCTION_SECONDS = 30;
  private static final int LATE_MILLIS = 300;
  private static final Duration BACKOFF_MAX = Duration.ofSeconds(5);

  /// One call in this many is made in a new process, which has seen no run before.
  private static final int COLD_OF = 4;

  /// A record older than this raises an alarm.
  private static final Duration LAG_MAX = Duration.ofSeconds(30);

  /// A copy gets one in this many streams of another copy, if functions are called twice.
  private static final int SHARED_OF = 4;

  private final SimulatedCaller caller;
  private final Supplier<StreamFunction> process;
  private final int copy;
  private final SimulatedSystem system;
  private final Random random;
  private final List<Integer> mine = new ArrayList<>();
  private StreamFunction function;
  private int scanned;
  private int position;
  private int sizeMax = BATCH_MAX;
  private int tries;
  private Instant next;

  /// Makes a function that calls ports as `caller`.
  interface Made {
    StreamFunction by(SimulatedSystem system, SimulatedCaller caller, InstantSource clock);
  }

  StreamActor(Role role, int copy, Made function, SimulatedSystem system, Random random) {
    this.caller = new SimulatedCaller(role, FUNCTION_SECONDS);
    InstantSource clock = system.skewed();
    this.process = () -> function.by(system, caller, clock);
    this.function = process.get();
    this.copy = copy;
    this.system = system;
    this.random = random;
    this.next = system.now();
  }

  void wake() {
    next = system.now();
  }

  boolean drained() {
    scan();
    return position == mine.size();
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
    next = system.now().plusMillis(1L + random.nextInt(LATE_MILLIS));
    if (random.nextInt(COLD_OF) == 0) {
      function = process.get();
    }
    Faults faults = system.faults();
    if (faults.strikes(Fault.LATE_STREAM, 0.02)) {
      position = Math.max(0, position - random.nextInt(10));
    }
    scan();
    int size = Math.min(sizeMax, 1 + random.nextInt(BATCH_MAX));
    List<Integer> batch =
        List.copyOf(mine.subList(position, Math.min(mine.size(), position + size)));
    if (batch.isEmpty()) {
      return;
    }
    lag(batch.getFirst());
    List<String> again = function.handle(batch.stream().map(this::record).toList());
    int first = first(batch, again);
    boolean stuck = first == 0;
    position += first;
    tries = again.isEmpty() ? 0 : stuck ? tries + 1 : 1;
    sizeMax = BATCH_MAX;
    if (!again.isEmpty()) {
      failed(batch.size() - first);
    } else if (faults.strikes(Fault.LATE_STREAM, 0.05)) {
      next = system.now().plusSeconds(random.nextInt(90));
    }
  }

  /// The index of the first record that must come again; the size of the batch if there is none.
  private static int first(List<Integer> batch, List<String> again) {
    for (int i = 0; i < batch.size(); i++) {
      if (again.contains(String.valueOf(batch.get(i)))) {
        return i;
      }
    }
    return batch.size();
  }

  private void failed(int count) {
    if (tries > RETRIES_MAX) {
      tries = 0;
      mine.subList(position, position + count).forEach(this::giveUp);
      position += count;
      return;
    }
    long millis = Math.min(BACKOFF_MAX.toMillis(), 100L << Math.min(tries, 16));
    next = system.now().plusMillis(millis);
  }

  private void giveUp(int change) {
    system.lostRecords().add(system.log().told().get(change).chunk());
  }

  private StreamRecord record(int change) {
    return new StreamRecord(
        system.log().told().get(change).chunk().key().partition(),
        String.valueOf(change),
        Optional.of(system.log().told().get(change).at().truncatedTo(ChronoUnit.SECONDS)));
  }

  private void lag(int change) {
    Instant late = system.log().told().get(change).at().plus(LAG_MAX);
    if (system.now().isAfter(late)) {
      system.alarms().raise(Alarms.Alarm.LAG);
    }
  }

  /// Finds what is new for this copy.
  private void scan() {
    List<SimulatedLog.Told> changes = system.log().told();
    while (scanned < changes.size()) {
      Chunk change = changes.get(scanned).chunk();
      if (function.takes(change) && isMine(change.key())) {
        mine.add(scanned);
      }
      scanned++;
    }
  }

  private boolean isMine(StreamKey key) {
    int hash = key.hashCode() >>> 3;
    return Math.floorMod(hash, COPIES) == copy
        || (system.faults().kinds().contains(Fault.TWICE)
            && Math.floorMod(hash / COPIES, SHARED_OF) == 0);
  }

  /// The same records come again.
  @Override
  public void crashed() {
    function = process.get();
    next = system.now().plusMillis(LATE_MILLIS);
    sizeMax = Math.max(1, sizeMax / 2);
  }
}
