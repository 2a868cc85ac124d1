package dev.runyard.functions;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import dev.runyard.core.access.Identity;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.batch.StreamBatch;
import dev.runyard.core.batch.StreamRecord;
import dev.runyard.core.batch.StreamRoute;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.queue.RunQueue;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// A batch of stream records ([StreamBatch]) whose streams are runs, as Lambda delivers it. A run
/// that cannot be handled is set aside for `sweep`.
public final class RunBatch {
  private static final int WARM_UP_ROUNDS = 5;
  private static final RunKey NO_RUN =
      new RunKey(Identity.TENANT_DEFAULT, "00000000-0000-7000-8000-000000000000");

  private final JsonLog log;
  private final RunQueue streamFailures;
  private final StreamBatch streams;

  /// A handler of batches, one run after another.
  public RunBatch(JsonLog log, RunQueue streamFailures, InstantSource clock) {
    this(log, streamFailures, clock, Lanes.one());
  }

  /// A handler of batches.
  ///
  /// @param streamFailures gets runs that cannot be handled
  /// @param lanes handles the runs of a batch; each is in it once
  public RunBatch(JsonLog log, RunQueue streamFailures, InstantSource clock, Lanes lanes) {
    this.log = log;
    this.streamFailures = streamFailures;
    this.streams = new StreamBatch(new BatchLines(log), clock, lanes);
  }

  /// Handles the records of runs.
  public StreamsEventResponse handle(DynamodbEvent event, Consumer<RunKey> action) {
    return handle(event, List.of(route(action)));
  }

  /// Handles the records of several kinds of stream; those of threads are passed over.
  public StreamsEventResponse handle(DynamodbEvent event, List<StreamRoute<?>> routes) {
    List<DynamodbStreamRecord> records =
        event.getRecords() == null ? List.of() : event.getRecords();
    List<StreamRoute<?>> all = new ArrayList<>(routes);
    all.add(StreamRoute.threads());
    return new StreamsEventResponse(
        streams.handle(records.stream().map(RunBatch::read).toList(), all).stream()
            .map(BatchItemFailure::new)
            .toList());
  }

  /// The route of runs.
  public StreamRoute<RunKey> route(Consumer<RunKey> action) {
    return StreamRoute.runs(action, streamFailures);
  }

  /// What this batch said, and what a second look at it said.
  public static StreamsEventResponse both(StreamsEventResponse one, StreamsEventResponse other) {
    return new StreamsEventResponse(
        Stream.concat(one.getBatchItemFailures().stream(), other.getBatchItemFailures().stream())
            .distinct()
            .toList());
  }

  private static StreamRecord read(DynamodbStreamRecord stored) {
    Map<String, AttributeValue> keys = stored.getDynamodb().getKeys();
    AttributeValue partition = keys == null ? null : keys.get("pk");
    return new StreamRecord(
        partition == null ? "" : partition.getS(),
        stored.getDynamodb().getSequenceNumber(),
        Optional.ofNullable(stored.getDynamodb().getApproximateCreationDateTime())
            .map(Date::toInstant));
  }

  /// Calls `action` for a run that does not exist, so that classes are loaded and connections are
  /// open before the first record comes. Its result is ignored.
  public void warmUp(Consumer<RunKey> action) {
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      try {
        action.accept(NO_RUN);
      } catch (RuntimeException e) {
        log.failure("warm_up_failed", e, _ -> {});
      }
    }
  }
}
