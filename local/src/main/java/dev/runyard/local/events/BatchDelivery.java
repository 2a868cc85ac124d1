package dev.runyard.local.events;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.runyard.local.function.Invocation;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/// Delivers one batch of a shard until it is handled, or given up after the retries the mapping
/// allows. Nothing after the batch is delivered before that.
///
/// | answer of the function | what follows |
/// |---|---|
/// | returns, no failures reported | done |
/// | reports failed records | all before the lowest of them are done; from it on, again |
/// | reports a record that is not in the batch | as if it threw |
/// | throws or times out, bisecting, more than one record | each half again; counts no retry |
/// | throws or times out otherwise | again |
///
/// Records that are older than the mapping allows, or that still fail after its retries, go to the
/// failure destination as one note.
final class BatchDelivery {
  private static final Logger LOG = System.getLogger(BatchDelivery.class.getName());
  static final Duration BACKOFF_MAX = Duration.ofSeconds(5);

  /// Waits between two tries; false when the stack is closing and there must be no further try.
  @FunctionalInterface
  interface Pause {
    boolean sleep(Duration duration) throws InterruptedException;
  }

  private final StreamMapping mapping;
  private final ShardAddress shard;
  private final InstantSource clock;
  private final Duration backoff;
  private final Pause pause;
  private final Consumer<String> checkpoint;

  /// @param backoff the wait before the first retry; it doubles up to [#BACKOFF_MAX]
  /// @param checkpoint takes the sequence number up to which everything is done
  BatchDelivery(
      StreamMapping mapping,
      ShardAddress shard,
      InstantSource clock,
      Duration backoff,
      Pause pause,
      Consumer<String> checkpoint) {
    this.mapping = mapping;
    this.shard = shard;
    this.clock = clock;
    this.backoff = backoff;
    this.pause = pause;
    this.checkpoint = checkpoint;
  }

  private record Piece(List<StreamEntry> entries, int failures, int invocations) {}

  private sealed interface Outcome {
    record Done() implements Outcome {}

    /// @param first index of the first record that is not done
    record Partial(int first) implements Outcome {}

    record Thrown() implements Outcome {}
  }

  /// Returns when every record is done or given up, or when the pause returns false.
  void deliver(List<StreamEntry> batch) throws InterruptedException {
    Deque<Piece> pieces = new ArrayDeque<>();
    pieces.push(new Piece(List.copyOf(batch), 0, 0));
    while (!pieces.isEmpty()) {
      Piece piece = withoutExpired(pieces.pop());
      if (piece.entries().isEmpty()) {
        continue;
      }
      if (piece.failures() > 0 && !pause.sleep(wait(piece.failures()))) {
        return;
      }
      switch (invoke(piece)) {
        case Outcome.Done() -> done(piece.entries());
        case Outcome.Partial(int first) -> {
          done(piece.entries().subList(0, first));
          int failures = first == 0 ? piece.failures() + 1 : 1;
          List<StreamEntry> rest = piece.entries().subList(first, piece.entries().size());
          again(pieces, new Piece(rest, failures, piece.invocations() + 1));
        }
        case Outcome.Thrown() -> thrown(pieces, piece);
      }
    }
  }

  private void thrown(Deque<Piece> pieces, Piece piece) {
    int size = piece.entries().size();
    if (mapping.settings().bisects() && size > 1) {
      int invocations = piece.invocations() + 1;
      pieces.push(
          new Piece(piece.entries().subList(size / 2, size), piece.failures(), invocations));
      pieces.push(new Piece(piece.entries().subList(0, size / 2), piece.failures(), invocations));
    } else {
      again(pieces, new Piece(piece.entries(), piece.failures() + 1, piece.invocations() + 1));
    }
  }

  private void again(Deque<Piece> pieces, Piece piece) {
    boolean exhausted =
        mapping.settings().retriesMax().map(most -> piece.failures() > most).orElse(false);
    if (exhausted) {
      giveUp(piece, piece.entries(), "RetryAttemptsExhausted");
    } else {
      pieces.push(piece);
    }
  }

  private Piece withoutExpired(Piece piece) {
    if (mapping.settings().recordAgeMax().isEmpty()) {
      return piece;
    }
    Instant oldest = clock.instant().minus(mapping.settings().recordAgeMax().get());
    List<StreamEntry> expired =
        piece.entries().stream().filter(entry -> entry.arrived().isBefore(oldest)).toList();
    if (expired.isEmpty()) {
      return piece;
    }
    giveUp(piece, expired, "RecordAgeExceeded");
    List<StreamEntry> rest = new ArrayList<>(piece.entries());
    rest.removeAll(expired);
    return new Piece(rest, piece.failures(), piece.invocations());
  }

  private Outcome invoke(Piece piece) {
    Invocation invocation =
        mapping.function().invoke(StreamEvents.event(piece.entries(), shard.streamArn()));
    return switch (invocation) {
      case Invocation.Failed(Throwable cause) -> new Outcome.Thrown();
      case Invocation.Returned(var value) ->
          mapping.settings().partialResponses() && value instanceof StreamsEventResponse response
              ? reported(piece.entries(), response)
              : new Outcome.Done();
    };
  }

  private static Outcome reported(List<StreamEntry> entries, StreamsEventResponse response) {
    List<StreamsEventResponse.BatchItemFailure> failures = response.getBatchItemFailures();
    if (failures == null || failures.isEmpty()) {
      return new Outcome.Done();
    }
    int first = entries.size();
    for (StreamsEventResponse.BatchItemFailure failure : failures) {
      int index = indexOf(entries, String.valueOf(failure.getItemIdentifier()));
      if (index < 0) {
        return new Outcome.Thrown();
      }
      first = Math.min(first, index);
    }
    return new Outcome.Partial(first);
  }

  private static int indexOf(List<StreamEntry> entries, String sequenceNumber) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).sequenceNumber().equals(sequenceNumber)) {
        return i;
      }
    }
    return -1;
  }

  private void giveUp(Piece piece, List<StreamEntry> entries, String condition) {
    LOG.log(
        Level.ERROR,
        "{0} gives up {1} records of {2}: {3}",
        mapping.function().name(),
        entries.size(),
        shard.shardId(),
        condition);
    try {
      mapping
          .onFailure()
          .send(
              FailureNote.of(
                  mapping.function().name(),
                  condition,
                  piece.invocations(),
                  shard,
                  entries,
                  clock.instant()));
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "the failure destination takes no note", e);
    }
    done(entries);
  }

  private void done(List<StreamEntry> entries) {
    if (!entries.isEmpty()) {
      checkpoint.accept(entries.getLast().sequenceNumber());
    }
  }

  private Duration wait(int failures) {
    Duration wait = backoff.multipliedBy(1L << Math.min(failures - 1, 16));
    return wait.compareTo(BACKOFF_MAX) > 0 ? BACKOFF_MAX : wait;
  }
}
