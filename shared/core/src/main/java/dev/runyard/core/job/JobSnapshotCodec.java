package dev.runyard.core.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.projection.SnapshotBody;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The stored form of a job's snapshot.
public final class JobSnapshotCodec {
  private JobSnapshotCodec() {}

  public static byte[] pack(JobState.Existing job) {
    try {
      return SnapshotBody.encode(JsonFormat.JSON.writeValueAsString(form(job)));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The job a stored form is of.
  ///
  /// @throws IllegalArgumentException when the bytes are not a stored snapshot
  public static JobState.Existing unpack(byte[] stored) {
    try {
      return state(JsonFormat.JSON.readValue(SnapshotBody.decode(stored), Form.class));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Form form(JobState.Existing job) {
    return switch (job) {
      case JobState.Open open -> new Form(open.facts(), null, null, null);
      case JobState.Closed closed ->
          new Form(closed.facts(), closed.status(), closed.error(), closed.finishedAt());
    };
  }

  private static JobState.Existing state(Form form) {
    return form.ended == null
        ? new JobState.Open(form.facts)
        : new JobState.Closed(
            form.facts, form.ended, form.error, Objects.requireNonNull(form.finishedAt));
  }

  /// Members other than `facts` are set if the job has ended.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Form(
      JobFacts facts,
      @Nullable JobStatus ended,
      @Nullable Failure error,
      @Nullable Instant finishedAt) {}
}
