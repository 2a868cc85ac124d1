package dev.runyard.core.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How the newest run of an item ended, and what was reported of it.
///
/// @param sequence of the job's event that it is from
/// @param threadId the thread of the run; null for one from before that was told
/// @param error why it failed; null if it was completed
/// @param retryable whether the same request may succeed in another run
/// @param note what somebody reported
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ItemRow(
    int item,
    long sequence,
    int attempt,
    String runId,
    @Nullable String threadId,
    @Nullable Failure error,
    boolean retryable,
    JobUsage usage,
    @Nullable String note,
    Instant at) {

  static ItemRow of(StoredJobEvent stored, JobEvent.ItemEnded ended) {
    return switch (ended) {
      case JobEvent.ItemCompleted done ->
          new ItemRow(
              done.item(),
              stored.sequence(),
              done.attempt(),
              done.runId(),
              done.threadId(),
              null,
              false,
              done.usage(),
              null,
              stored.timestamp());
      case JobEvent.ItemFailed failed ->
          new ItemRow(
              failed.item(),
              stored.sequence(),
              failed.attempt(),
              failed.runId(),
              failed.threadId(),
              failed.error(),
              failed.retryable(),
              failed.usage(),
              null,
              stored.timestamp());
    };
  }

  ItemRow noted(StoredJobEvent stored, String text) {
    return new ItemRow(
        item, stored.sequence(), attempt, runId, threadId, error, retryable, usage, text, at);
  }

  /// The stored form.
  public String encode() {
    try {
      return JsonFormat.JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Reads what [#encode] wrote.
  public static ItemRow decode(String stored) {
    try {
      return JsonFormat.JSON.readValue(stored, ItemRow.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
