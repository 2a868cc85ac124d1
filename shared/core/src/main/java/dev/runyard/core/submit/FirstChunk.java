package dev.runyard.core.submit;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Checks that a request fits the chunk that begins its run. A request is stored whole or not at
/// all.
public final class FirstChunk {
  /// A body this small always fits.
  static final int BODY_BYTES_SURE = Chunk.CHUNK_BYTES_MAX / 2;

  /// Room for the name of whoever submits and the id with which they do, which are not known where
  /// a request is read.
  static final int ACTOR_BYTES_MAX = 4096;

  /// Most bytes of a request as it is stored.
  public static final int REQUEST_BYTES_MAX = Chunk.CHUNK_BYTES_MAX - ACTOR_BYTES_MAX;

  private static final RunKey PLACE = new RunKey("default", "00000000-0000-7000-8000-000000000000");

  private FirstChunk() {}

  public static boolean fits(RunRequest request) {
    return switch (RunDecider.rules().decide(RunState.absent(), new RunCommand.Submit(request))) {
      case Decision.Append append -> {
        List<StoredEvent> events = new ArrayList<>();
        append
            .events()
            .forEach(
                event ->
                    events.add(
                        new StoredEvent(
                            PLACE,
                            request.turnOf(PLACE),
                            null,
                            events.size() + 1,
                            Instant.EPOCH,
                            event,
                            null)));
        yield ChunkBody.of(EventCodec.RUNS, events).bytes().length <= REQUEST_BYTES_MAX;
      }
      case Decision.Stay _, Decision.Defer _, Decision.Refuse _ ->
          throw new IllegalStateException("a submit begins an absent run");
    };
  }

  public static Problem tooLarge() {
    return Problem.of(
        ProblemCode.BODY_TOO_LARGE,
        "The request has more than %d bytes when compressed. Shorten the prompt or env."
            .formatted(REQUEST_BYTES_MAX));
  }
}
