package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.job.JobCodec;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.StoredJobEvent;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.task.StoredTaskEvent;
import dev.runyard.core.task.TaskCodec;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.thread.StoredThreadEvent;
import dev.runyard.core.thread.ThreadCodec;
import dev.runyard.core.thread.ThreadKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The event log of a simulation: chunks as they were put, and the stream of changes they make. It
/// can be given some of the deliberate defects, or another log to stand in for.
final class SimulatedLog implements EventLog {
  private final Map<StreamKey, NavigableMap<Long, Chunk>> streams = new HashMap<>();
  private final List<Chunk> changes = new ArrayList<>();
  private final List<Instant> changedAt = new ArrayList<>();
  private final List<Told> changed = new ArrayList<>();
  private final List<Told> told = new ArrayList<>();
  private final Defect defect;
  private final List<Consumer<Chunk>> watchers = new ArrayList<>();
  private final InstantSource clock;
  private final Optional<EventLog> other;
  private long collisions;

  /// A change of a run, a job or a task, and when it was made, or told of again.
  record Told(Chunk chunk, Instant at) {}

  /// @param other gets the same, and is read in place of this one
  SimulatedLog(Defect defect, InstantSource clock, Optional<EventLog> other) {
    this.defect = defect;
    this.other = other;
    this.clock = clock;
  }

  /// Who is to see each chunk when it was put.
  void watch(Consumer<Chunk> by) {
    watchers.add(by);
  }

  @Override
  public AppendResult append(Chunk chunk) {
    AppendResult result = added(chunk);
    other
        .map(log -> log.append(chunk))
        .filter(told -> !told.equals(result))
        .ifPresent(
            told -> {
              throw new IllegalStateException(
                  "an append was answered with %s, not %s".formatted(told, result));
            });
    return result;
  }

  private AppendResult added(Chunk chunk) {
    ItemLimit.check(chunk.body().bytes().length);
    NavigableMap<Long, Chunk> stream = streams.computeIfAbsent(chunk.key(), _ -> new TreeMap<>());
    Chunk there = stream.get(chunk.first());
    if (there != null && !unconditional(chunk)) {
      collisions++;
      return there.id().equals(chunk.id()) ? AppendResult.appended() : AppendResult.collision();
    }
    put(stream, chunk);
    if (defect == Defect.CHUNK_REPLACED) {
      Optional.ofNullable(stream.lowerEntry(chunk.first()))
          .ifPresent(before -> stream.put(before.getKey(), Chunks.exchanged(before.getValue())));
    }
    if (chunk.closed() && defect == Defect.TERMINAL_WRITTEN_TWICE) {
      put(stream, Chunks.moved(chunk, chunk.last() + 1));
    }
    return AppendResult.appended();
  }

  private boolean unconditional(Chunk chunk) {
    return defect == Defect.PUT_WITHOUT_CONDITION
        || (defect == Defect.JOB_WRITTEN_WITHOUT_CONDITION && chunk.key() instanceof JobKey)
        || (defect == Defect.TASK_WRITTEN_WITHOUT_CONDITION && chunk.key() instanceof TaskKey)
        || (defect == Defect.TURNS_WRITTEN_WITHOUT_CONDITION && chunk.key() instanceof ThreadKey);
  }

  private void put(NavigableMap<Long, Chunk> stream, Chunk chunk) {
    stream.put(chunk.first(), chunk);
    if (chunk.key() instanceof ThreadKey) {
      return;
    }
    changed.add(new Told(chunk, clock.instant()));
    tell(chunk);
    if (chunk.key() instanceof JobKey || chunk.key() instanceof TaskKey) {
      return;
    }
    changes.add(chunk);
    changedAt.add(clock.instant());
    watchers.forEach(watcher -> watcher.accept(chunk));
  }

  @Override
  public List<Chunk> chunksAfter(StreamKey key, long sequence) {
    return other
        .map(log -> log.chunksAfter(key, sequence))
        .orElseGet(
            () ->
                chunks(key).tailMap(sequence, false).values().stream()
                    .limit(READ_CHUNKS_MAX)
                    .toList());
  }

  @Override
  public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
    return other
        .map(log -> log.chunkAt(key, sequence))
        .orElseGet(
            () -> Optional.ofNullable(chunks(key).floorEntry(sequence)).map(Map.Entry::getValue));
  }

  private NavigableMap<Long, Chunk> chunks(StreamKey key) {
    return streams.getOrDefault(key, new TreeMap<>());
  }

  Collection<RunKey> runs() {
    return streams.keySet().stream()
        .filter(RunKey.class::isInstance)
        .map(RunKey.class::cast)
        .toList();
  }

  Collection<ThreadKey> threads() {
    return streams.keySet().stream()
        .filter(ThreadKey.class::isInstance)
        .map(ThreadKey.class::cast)
        .toList();
  }

  List<StoredThreadEvent> events(ThreadKey thread) {
    return chunks(thread).values().stream()
        .flatMap(chunk -> chunk.events(ThreadCodec.THREADS).stream())
        .toList();
  }

  Collection<JobKey> jobs() {
    return streams.keySet().stream()
        .filter(JobKey.class::isInstance)
        .map(JobKey.class::cast)
        .toList();
  }

  List<StoredJobEvent> events(JobKey job) {
    return chunks(job).values().stream()
        .flatMap(chunk -> chunk.events(JobCodec.JOBS).stream())
        .toList();
  }

  Collection<TaskKey> tasks() {
    return streams.keySet().stream()
        .filter(TaskKey.class::isInstance)
        .map(TaskKey.class::cast)
        .toList();
  }

  List<StoredTaskEvent> events(TaskKey task) {
    return chunks(task).values().stream()
        .flatMap(chunk -> chunk.events(TaskCodec.TASKS).stream())
        .toList();
  }

  Chunk last(StreamKey stream) {
    return chunks(stream).lastEntry().getValue();
  }

  List<Chunk> whole(RunKey run) {
    return List.copyOf(chunks(run).values());
  }

  List<StoredEvent> events(RunKey run) {
    return chunks(run).values().stream()
        .flatMap(chunk -> chunk.events(EventCodec.RUNS).stream())
        .toList();
  }

  /// The changes of runs.
  List<Chunk> changes() {
    return changes;
  }

  /// The changes of runs, jobs and tasks.
  List<Told> changed() {
    return changed;
  }

  /// What stream functions are told of: all of these, and some of them again.
  List<Told> told() {
    return told;
  }

  /// Stream functions are told of a change, once more if they were before.
  void tell(Chunk chunk) {
    told.add(new Told(chunk, clock.instant()));
  }

  /// When the run was changed last.
  Instant changedAt(RunKey run) {
    return changedAt.get(changes.lastIndexOf(last(run)));
  }

  long collisions() {
    return collisions;
  }
}
