package dev.runyard.functions;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A batch of stream records, taken as hints: each stream they name is handled once, by the route
/// of its kind. A stream whose port did not answer is reported and comes again; one that fails
/// otherwise, or for too long, is set aside, so that it does not hold up others. A record whose
/// kind has no route is logged as an error and does not come again, because it would hold up all
/// others.
public final class StreamBatch {
  /// After this many streams in a row whose port did not answer, the rest of the batch is reported
  /// untried, well before the function's own timeout.
  static final int UNAVAILABLE_MAX = 3;

  /// A stream whose port does not answer is set aside when its record is this old, so that it does
  /// not hold up others for longer.
  static final int SET_ASIDE_AFTER_SECONDS = 30;

  private final JsonLog log;
  private final InstantSource clock;
  private final Lanes lanes;

  /// @param lanes handles the streams of a batch; each is in it once
  public StreamBatch(JsonLog log, InstantSource clock, Lanes lanes) {
    this.log = log;
    this.clock = clock;
    this.lanes = lanes;
  }

  public StreamsEventResponse handle(DynamodbEvent event, List<StreamRoute<?>> routes) {
    Queue<BatchItemFailure> failures = new ConcurrentLinkedQueue<>();
    AtomicInteger unavailable = new AtomicInteger();
    List<Runnable> work = new ArrayList<>();
    for (Hint hint : hints(event, routes)) {
      work.add(
          () -> {
            if (again(hint, unavailable)) {
              failures.add(new BatchItemFailure(hint.sequenceNumber()));
            }
          });
    }
    lanes.run(work);
    return new StreamsEventResponse(List.copyOf(failures));
  }

  private boolean again(Hint hint, AtomicInteger unavailable) {
    StreamRoute.Changed stream = hint.stream();
    Outcome outcome = unavailable.get() < UNAVAILABLE_MAX ? handle(stream) : Outcome.AGAIN;
    if (outcome == Outcome.AGAIN) {
      unavailable.incrementAndGet();
    } else {
      unavailable.set(0);
    }
    if (outcome == Outcome.AGAIN && hint.old(clock.instant())) {
      outcome = setAside(stream);
    }
    return outcome == Outcome.AGAIN;
  }

  private Outcome handle(StreamRoute.Changed stream) {
    try {
      stream.action().run();
      return Outcome.DONE;
    } catch (PortUnavailable e) {
      failure("unavailable", e, stream.key());
      return Outcome.AGAIN;
    } catch (RuntimeException e) {
      failure(stream.key().kind().name() + "_failed", e, stream.key());
      return setAside(stream);
    }
  }

  private Outcome setAside(StreamRoute.Changed stream) {
    StreamKey key = stream.key();
    try {
      stream.setAside().run();
      log.info(key.kind().name() + "_set_aside", line -> line.put(idMember(key), key.id()));
      return Outcome.DONE;
    } catch (PortUnavailable e) {
      failure("set_aside_unavailable", e, key);
      return Outcome.AGAIN;
    }
  }

  private void failure(String event, RuntimeException cause, StreamKey key) {
    log.failure(event, cause, line -> line.put(idMember(key), key.id()));
  }

  private static String idMember(StreamKey key) {
    return key.kind().name() + "_id";
  }

  /// The streams the records name, in their order, each with its first record.
  private Collection<Hint> hints(DynamodbEvent event, List<StreamRoute<?>> routes) {
    Map<StreamKey, Hint> hints = new LinkedHashMap<>();
    List<DynamodbStreamRecord> records =
        event.getRecords() == null ? List.of() : event.getRecords();
    for (DynamodbStreamRecord stored : records) {
      Map<String, AttributeValue> keys = stored.getDynamodb().getKeys();
      AttributeValue partition = keys == null ? null : keys.get("pk");
      changed(partition == null ? "" : partition.getS(), routes)
          .ifPresent(
              stream ->
                  hints.putIfAbsent(
                      stream.key(),
                      new Hint(
                          stream,
                          stored.getDynamodb().getSequenceNumber(),
                          stored.getDynamodb().getApproximateCreationDateTime())));
    }
    return hints.values();
  }

  private Optional<StreamRoute.Changed> changed(String partition, List<StreamRoute<?>> routes) {
    try {
      StreamKind kind = StreamKind.ofPartition(partition);
      for (StreamRoute<?> route : routes) {
        if (route.kind().equals(kind)) {
          return Optional.of(route.changed(partition));
        }
      }
      log.error("unknown_kind_of_stream", line -> line.put("kind", kind.name()));
    } catch (IllegalArgumentException e) {
      log.failure("not_a_stream", e, _ -> {});
    }
    return Optional.empty();
  }

  private record Hint(StreamRoute.Changed stream, String sequenceNumber, @Nullable Date at) {
    boolean old(Instant now) {
      return at != null && !at.toInstant().plusSeconds(SET_ASIDE_AFTER_SECONDS).isAfter(now);
    }
  }

  private enum Outcome {
    DONE,
    AGAIN
  }
}
