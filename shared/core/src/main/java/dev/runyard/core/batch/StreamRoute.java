package dev.runyard.core.batch;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.thread.ThreadKey;
import java.util.function.Consumer;
import java.util.function.Function;

/// What a stream function does with the streams of one kind.
///
/// @param key the stream with a partition key; throws IllegalArgumentException for any other text
/// @param action handles a stream that changed; it may be called twice, late or out of order
/// @param setAside takes a stream that could not be handled, to be handled later
public record StreamRoute<K extends StreamKey>(
    StreamKind kind, Function<String, K> key, Consumer<K> action, Consumer<K> setAside) {

  /// The route of runs.
  ///
  /// @param streamFailures takes runs that could not be handled, for `sweep`
  public static StreamRoute<RunKey> runs(Consumer<RunKey> action, RunQueue streamFailures) {
    return new StreamRoute<>(
        RunKey.KIND, RunKey::ofPartition, action, run -> streamFailures.send(run, 0));
  }

  /// The route of jobs.
  ///
  /// @param keep has a job that could not be handled looked at by `sweep`
  public static StreamRoute<JobKey> jobs(Consumer<JobKey> action, Consumer<JobKey> keep) {
    return new StreamRoute<>(JobKey.KIND, JobKey::ofPartition, action, keep);
  }

  /// The route of tasks.
  ///
  /// @param keep has a task that could not be handled looked at by `sweep`
  public static StreamRoute<TaskKey> tasks(Consumer<TaskKey> action, Consumer<TaskKey> keep) {
    return new StreamRoute<>(TaskKey.KIND, TaskKey::ofPartition, action, keep);
  }

  /// The route of threads, of which nothing follows: a long one is still heard of at times.
  public static StreamRoute<ThreadKey> threads() {
    return new StreamRoute<>(ThreadKey.KIND, ThreadKey::ofPartition, _ -> {}, _ -> {});
  }

  /// The stream with this partition key, with its action.
  Changed changed(String partition) {
    K stream = key.apply(partition);
    return new Changed(stream, () -> action.accept(stream), () -> setAside.accept(stream));
  }

  record Changed(StreamKey key, Runnable action, Runnable setAside) {}
}
