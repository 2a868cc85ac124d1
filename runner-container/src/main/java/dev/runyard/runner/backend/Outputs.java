package dev.runyard.runner.backend;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.PortUnavailable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Stores the outputs of an attempt's tools that are too large for an event. If one cannot be
/// stored, an event says so, and the run continues.
///
/// The number of events of an output depends only on its length, because an agent that is executed
/// again counts its events, and the store may answer differently then. Not thread-safe.
final class Outputs {
  /// After this many puts without an answer the store is not called again, because each makes the
  /// agent wait.
  static final int FAILURES_MAX = 3;

  private static final String WHAT = "tool output";

  private final Optional<ArtifactStore> store;
  private final @Nullable RunKey run;
  private final String attemptId;
  private int kept;
  private long keptBytes;
  private int failures;

  private Outputs(Optional<ArtifactStore> store, @Nullable RunKey run, String attemptId) {
    this.store = store;
    this.run = run;
    this.attemptId = attemptId;
  }

  /// Stores nothing.
  static Outputs none() {
    return new Outputs(Optional.empty(), null, "");
  }

  /// @param attemptId part of every output's id, so that no attempt overwrites another's
  static Outputs in(ArtifactStore store, RunKey run, String attemptId) {
    return new Outputs(Optional.of(store), run, attemptId);
  }

  /// A handled output.
  ///
  /// @param ref null if it is not stored
  /// @param events to write before the call's end
  record Spilled(@Nullable String ref, List<RunEvent> events) {
    static final Spilled NOTHING = new Spilled(null, List.of());
  }

  /// Stores an output that is larger than a preview, at most [StoredOutput#OUTPUT_BYTES_MAX] of it.
  Spilled spill(String toolCallId, String output) {
    int bytes = Bounds.bytes(output);
    if (bytes <= Bounds.MESSAGE_BYTES_MAX) {
      return Spilled.NOTHING;
    }
    byte[] content =
        Bounds.head(output, StoredOutput.OUTPUT_BYTES_MAX).getBytes(StandardCharsets.UTF_8);
    Optional<String> ref = put(content);
    List<RunEvent> events = new ArrayList<>();
    events.add(
        ref.<RunEvent>map(
                id ->
                    new RunEvent.OutputSpilled(
                        id,
                        toolCallId,
                        content.length,
                        HexFormat.of().formatHex(Digest.of(content)),
                        StoredOutput.CONTENT_TYPE))
            .orElseGet(() -> new RunEvent.OutputTruncated(WHAT, bytes, Bounds.MESSAGE_BYTES_MAX)));
    if (bytes > StoredOutput.OUTPUT_BYTES_MAX) {
      events.add(new RunEvent.OutputTruncated(WHAT, bytes, StoredOutput.OUTPUT_BYTES_MAX));
    }
    return new Spilled(ref.orElse(null), events);
  }

  private Optional<String> put(byte[] content) {
    RunKey of = run;
    if (of == null
        || store.isEmpty()
        || failures >= FAILURES_MAX
        || kept >= StoredOutput.OUTPUTS_MAX
        || keptBytes + content.length > StoredOutput.OUTPUTS_BYTES_MAX) {
      return Optional.empty();
    }
    StoredOutput output = new StoredOutput(of, "out%d-%s".formatted(kept + 1, attemptId));
    try {
      store.get().put(output.key(), content);
    } catch (PortUnavailable _) {
      failures++;
      return Optional.empty();
    }
    kept++;
    keptBytes += content.length;
    return Optional.of(output.id());
  }
}
