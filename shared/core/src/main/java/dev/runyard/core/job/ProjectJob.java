package dev.runyard.core.job;

import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.Recent;
import dev.runyard.core.stream.Chain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Brings what is stored of a job up to its log: the rows of items that ended, and from time to
/// time the snapshot. All that follows a snapshot is written again where it is not known to have
/// been, so a process that dies in between leaves nothing out.
public final class ProjectJob {
  /// Events after which a snapshot is written though the job's status is the same.
  public static final int SNAPSHOT_EVENTS = 100;

  private final EventLog log;
  private final JobPorts ports;
  private final Recent<JobKey, Done> done = new Recent<>();

  public ProjectJob(EventLog log, JobPorts ports) {
    this.log = log;
    this.ports = ports;
  }

  /// What was written of a job by this process.
  ///
  /// @param state up to which the rows are written
  /// @param saved sequence and phase of the snapshot
  private record Done(JobState state, long saved, String phase) {}

  /// Reads what is new in the log, and writes what follows from it.
  ///
  /// @return where the chain of the job's chunks is broken, as far as the log was read; 0 if it is
  ///   not
  public long project(JobKey job) {
    return project(job, false);
  }

  /// The same, and writes the snapshot if it is behind at all, so that `sweep` finds the job.
  public void keep(JobKey job) {
    var _ = project(job, true);
  }

  private long project(JobKey job, boolean keeping) {
    Done before = done.get(job).orElseGet(() -> kept(job));
    JobState state = before.state();
    boolean more = !state.closed();
    while (more) {
      List<Chunk> chunks = log.chunksAfter(job, state.sequence());
      Map<Integer, ItemRow> rows = new TreeMap<>();
      for (Chunk chunk : chunks) {
        state = behind(job, state, chunk, rows);
      }
      if (!rows.isEmpty()) {
        ports.items().save(job, new ArrayList<>(rows.values()));
      }
      more = chunks.size() == EventLog.READ_CHUNKS_MAX;
    }
    if (state instanceof JobState.Existing existing) {
      done.put(job, saved(existing, before, keeping));
    }
    return state.chain().map(Chain::brokenAt).orElse(0L);
  }

  private Done kept(JobKey job) {
    JobState state = ports.models().snapshot(job).<JobState>map(s -> s).orElse(JobState.absent());
    return new Done(state, state.sequence(), state.phase());
  }

  private Done saved(JobState.Existing state, Done before, boolean keeping) {
    boolean due =
        (keeping && state.sequence() > before.saved())
            || !state.phase().equals(before.phase())
            || state.sequence() >= before.saved() + SNAPSHOT_EVENTS;
    if (!due) {
      return new Done(state, before.saved(), before.phase());
    }
    ports.models().save(state);
    return new Done(state, state.sequence(), state.phase());
  }

  private JobState behind(JobKey job, JobState from, Chunk chunk, Map<Integer, ItemRow> rows) {
    JobState state = from;
    for (StoredJobEvent stored : chunk.events(JobCodec.JOBS)) {
      state = JobFold.evolve(state, stored);
      if (stored.event() instanceof JobEvent.ItemEnded ended) {
        rows.put(ended.item(), ItemRow.of(stored, ended));
      } else if (stored.event() instanceof JobEvent.ItemReported reported) {
        row(job, rows, reported.item())
            .ifPresent(row -> rows.put(row.item(), row.noted(stored, reported.note())));
      }
    }
    return JobFold.chained(
        state, Chain.behind(from.chain(), chunk.first(), chunk.previous(), chunk.hash()));
  }

  private Optional<ItemRow> row(JobKey job, Map<Integer, ItemRow> rows, int item) {
    return Optional.ofNullable(rows.get(item)).or(() -> ports.items().row(job, item));
  }
}
