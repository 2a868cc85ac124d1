package dev.runyard.core.task;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.projection.SnapshotBody;
import java.io.UncheckedIOException;

/// The stored form of a task's snapshot.
public final class TaskSnapshotCodec {
  private TaskSnapshotCodec() {}

  public static byte[] pack(TaskState.Existing task) {
    try {
      return SnapshotBody.encode(JsonFormat.JSON.writeValueAsString(task.facts()));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The task a stored form is of.
  ///
  /// @throws IllegalArgumentException when the bytes are not a stored snapshot
  public static TaskState.Existing unpack(byte[] stored) {
    try {
      return TaskState.of(JsonFormat.JSON.readValue(SnapshotBody.decode(stored), TaskFacts.class));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
