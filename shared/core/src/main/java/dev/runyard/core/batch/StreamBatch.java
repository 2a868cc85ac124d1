package dev.runyard.core.batch;

import dev.runyard.core.advance.Lanes;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;
import dev.runyard.core.problem.LogAhead;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// A batch of stream records, taken as hints: each stream they name is handled once, by the route
/// of its kind. A stream whose port did not answer is reported and comes again; one that fails
/// otherwise, or for too long, is set aside, so that it does not hold up others. A record whose
/// kind has no route, or whose stream breaks the code also when it is set aside, is logged as an
/// error and does not come again, because it would hold up all others.
public final class StreamBatch {
  /// After this many streams in a row whose port did not answer, the rest of the batch is reported
  /// untried, well before the function's own timeout.
  public static final int UNAVAILABLE_MAX = 3;

  /// A stream whose port does not answer is set aside when its record is this old, so that it does
  /// not hold up others for longer.
  public static final int SET_ASIDE_AFTER_SECONDS = 30;

  private final BatchLog log;
  private final InstantSource clock;
  private final Lanes lanes;

  /// @param lanes handles the streams of a batch; each is in it once
  public StreamBatch(BatchLog log, InstantSource clock, Lanes lanes) {
    this.log = log;
    this.clock = clock;
    this.lanes = lanes;
  }

  /// Handles the records once.
  ///
  /// @return the sequence numbers of those that must come again
  public List<String> handle(List<StreamRecord> records, List<StreamRoute<?>> routes) {
    Queue<String> again = new ConcurrentLinkedQueue<>();
    AtomicInteger unavailable = new AtomicInteger();
    List<Runnable> work = new ArrayList<>();
    for (Hint hint : hints(records, routes)) {
      work.add(
          () -> {
            if (again(hint, unavailable)) {
              again.add(hint.sequenceNumber());
            }
          });
    }
    lanes.run(work);
    return List.copyOf(again);
  }

  private boolean again(Hint hint, AtomicInteger unavailable) {
    StreamRoute.Changed stream = hint.stream();
    Outcome outcome = unavailable.get() < UNAVAILABLE_MAX ? handle(stream) : Outcome.AGAIN;
    if (outcome == Outcome.AGAIN) {
      unavailable.incrementAndGet();
    } else {
      unavailable.set(0);
    }
    if (outcome != Outcome.DONE && hint.old(clock.instant())) {
      outcome = setAside(stream);
    }
    return outcome != Outcome.DONE;
  }

  private Outcome handle(StreamRoute.Changed stream) {
    try {
      stream.action().run();
      return Outcome.DONE;
    } catch (PortUnavailable e) {
      log.failed("unavailable", stream.key(), e);
      return e instanceof LogAhead ? Outcome.AHEAD : Outcome.AGAIN;
    } catch (RuntimeException e) {
      log.failed(stream.key().kind().name() + "_failed", stream.key(), e);
      return setAside(stream);
    }
  }

  private Outcome setAside(StreamRoute.Changed stream) {
    try {
      stream.setAside().run();
      log.setAside(stream.key());
      return Outcome.DONE;
    } catch (PortUnavailable e) {
      log.failed("set_aside_unavailable", stream.key(), e);
      return Outcome.AGAIN;
    } catch (RuntimeException e) {
      log.failed("set_aside_failed", stream.key(), e);
      return Outcome.DONE;
    }
  }

  /// The streams the records name, in their order, each with its first record.
  private Collection<Hint> hints(List<StreamRecord> records, List<StreamRoute<?>> routes) {
    Map<StreamKey, Hint> hints = new LinkedHashMap<>();
    for (StreamRecord stored : records) {
      changed(stored.partition(), routes)
          .ifPresent(
              stream ->
                  hints.putIfAbsent(
                      stream.key(), new Hint(stream, stored.sequenceNumber(), stored.at())));
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
      log.unknown(kind);
    } catch (IllegalArgumentException e) {
      log.noStream(e);
    }
    return Optional.empty();
  }

  private record Hint(StreamRoute.Changed stream, String sequenceNumber, Optional<Instant> at) {
    boolean old(Instant now) {
      return at.isPresent() && !at.get().plusSeconds(SET_ASIDE_AFTER_SECONDS).isAfter(now);
    }
  }

  private enum Outcome {
    DONE,
    /// There was an answer, and the next try reads on.
    AHEAD,
    AGAIN
  }
}
