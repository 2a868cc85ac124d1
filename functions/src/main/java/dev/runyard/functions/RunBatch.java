package dev.runyard.functions;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A batch of stream records, taken as hints: each run they name is handled once. A run whose port
/// did not answer is reported and comes again; one that fails otherwise, or for too long, is set
/// aside for `sweep`, so that it holds up no other.
public final class RunBatch {
  /// Runs in a row whose port did not answer; the rest of the batch is then reported untried, well
  /// before the function's own timeout.
  static final int UNAVAILABLE_MAX = 3;

  /// A run whose port does not answer is set aside when its record is this old, so that it holds up
  /// no other for longer.
  static final int PARK_AFTER_SECONDS = 30;

  private static final int WARM_UP_ROUNDS = 5;
  private static final RunKey NO_RUN =
      new RunKey(Wiring.TENANT, "00000000-0000-7000-8000-000000000000");

  private final JsonLog log;
  private final RunQueue streamFailures;
  private final InstantSource clock;
  private final Lanes lanes;

  /// A handler of batches, one run after another.
  public RunBatch(JsonLog log, RunQueue streamFailures, InstantSource clock) {
    this(log, streamFailures, clock, Lanes.one());
  }

  /// A handler of batches.
  ///
  /// @param streamFailures where runs go that cannot be handled
  /// @param lanes does the runs of a batch; each is in it once
  public RunBatch(JsonLog log, RunQueue streamFailures, InstantSource clock, Lanes lanes) {
    this.log = log;
    this.streamFailures = streamFailures;
    this.clock = clock;
    this.lanes = lanes;
  }

  public StreamsEventResponse handle(DynamodbEvent event, Consumer<RunKey> action) {
    Queue<BatchItemFailure> failures = new ConcurrentLinkedQueue<>();
    AtomicInteger unavailable = new AtomicInteger();
    List<Runnable> work = new ArrayList<>();
    runs(event)
        .forEach(
            (run, hint) ->
                work.add(
                    () -> {
                      if (again(run, hint, action, unavailable)) {
                        failures.add(new BatchItemFailure(hint.sequenceNumber()));
                      }
                    }));
    lanes.run(work);
    return new StreamsEventResponse(List.copyOf(failures));
  }

  private boolean again(RunKey run, Hint hint, Consumer<RunKey> action, AtomicInteger unavailable) {
    Outcome outcome = unavailable.get() < UNAVAILABLE_MAX ? handle(run, action) : Outcome.AGAIN;
    if (outcome == Outcome.AGAIN) {
      unavailable.incrementAndGet();
    } else {
      unavailable.set(0);
    }
    if (outcome == Outcome.AGAIN && hint.old(clock.instant())) {
      outcome = park(run);
    }
    return outcome == Outcome.AGAIN;
  }

  /// Calls `action` for a run there is none of, so that classes are loaded and connections open
  /// before the first record comes. What it answers is of no interest.
  public void warmUp(Consumer<RunKey> action) {
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      try {
        action.accept(NO_RUN);
      } catch (RuntimeException e) {
        log.failure("warm_up_failed", e, _ -> {});
      }
    }
  }

  private Outcome handle(RunKey run, Consumer<RunKey> action) {
    try {
      action.accept(run);
      return Outcome.DONE;
    } catch (PortUnavailable e) {
      log.failure("unavailable", e, line -> line.put("run_id", run.runId()));
      return Outcome.AGAIN;
    } catch (RuntimeException e) {
      log.failure("run_failed", e, line -> line.put("run_id", run.runId()));
      return park(run);
    }
  }

  private Outcome park(RunKey run) {
    try {
      streamFailures.send(run, 0);
      log.info("run_set_aside", line -> line.put("run_id", run.runId()));
      return Outcome.DONE;
    } catch (PortUnavailable e) {
      log.failure("park_unavailable", e, line -> line.put("run_id", run.runId()));
      return Outcome.AGAIN;
    }
  }

  /// The runs the records name, in their order, each with its first record.
  private Map<RunKey, Hint> runs(DynamodbEvent event) {
    Map<RunKey, Hint> runs = new LinkedHashMap<>();
    List<DynamodbStreamRecord> records =
        event.getRecords() == null ? List.of() : event.getRecords();
    for (DynamodbStreamRecord stored : records) {
      Map<String, AttributeValue> keys = stored.getDynamodb().getKeys();
      AttributeValue partition = keys == null ? null : keys.get("pk");
      try {
        runs.putIfAbsent(
            RunKey.ofPartition(partition == null ? "" : partition.getS()),
            new Hint(
                stored.getDynamodb().getSequenceNumber(),
                stored.getDynamodb().getApproximateCreationDateTime()));
      } catch (IllegalArgumentException e) {
        log.failure("not_a_run", e, _ -> {});
      }
    }
    return runs;
  }

  private record Hint(String sequenceNumber, @Nullable Date at) {
    boolean old(Instant now) {
      return at != null && !at.toInstant().plusSeconds(PARK_AFTER_SECONDS).isAfter(now);
    }
  }

  private enum Outcome {
    DONE,
    AGAIN
  }
}
