package dev.runyard.embedded;

import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobSnapshotCodec;
import dev.runyard.core.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Snapshots of jobs as a table, with indexes for lists and what is due.
final class SqliteJobModels implements JobModels {
  private static final String SAVE =
      "insert into jobs (tenant, job, place, sequence, shard, due, expires, body)"
          + " values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (tenant, job) do update set"
          + " sequence = excluded.sequence, due = excluded.due, expires = excluded.expires,"
          + " body = excluded.body where excluded.sequence > jobs.sequence";
  private static final String SNAPSHOT = "select body from jobs where tenant = ? and job = ?";
  private static final String LIST =
      "select body from jobs indexed by jobs_list where tenant = ? and place < ?"
          + " order by place desc limit ?";
  private static final String DUE =
      "select tenant, job from jobs indexed by jobs_due"
          + " where shard = ? and due is not null and due <= ? order by due limit ?";

  /// Sorts after each place.
  private static final String END = "~";

  private final StoreDatabase database;
  private final Duration retention;
  private final InstantSource clock;

  SqliteJobModels(StoreDatabase database, Duration retention, InstantSource clock) {
    this.database = database;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public Optional<JobState.Existing> snapshot(JobKey job) {
    return database
        .read(
            "snapshot",
            connection ->
                connection.row(found -> found.getBytes(1), SNAPSHOT, job.tenant(), job.jobId()))
        .map(JobSnapshotCodec::unpack);
  }

  @Override
  public boolean save(JobState.Existing job) {
    JobKey key = job.facts().job();
    byte[] body = JobSnapshotCodec.pack(job);
    return database.write(
            "save",
            connection ->
                connection.update(
                    SAVE,
                    key.tenant(),
                    key.jobId(),
                    JobModels.placeOf(job),
                    job.sequence(),
                    JobModels.shardOf(key),
                    job.dueAt().map(Instant::toEpochMilli).orElse(null),
                    clock.instant().plus(retention).toEpochMilli(),
                    body))
        == 1;
  }

  @Override
  public JobPage list(String tenant, int limit, Optional<String> after) {
    List<byte[]> found =
        database.read(
            "list",
            connection ->
                connection.rows(
                    row -> row.getBytes(1), LIST, tenant, after.orElse(END), limit + 1));
    return JobPage.of(
        found.stream().<JobState.Existing>map(JobSnapshotCodec::unpack).toList(), limit);
  }

  @Override
  public List<JobKey> due(int shard, Instant now, int limit) {
    return database.read(
        "due",
        connection ->
            connection.rows(
                found -> new JobKey(found.getString(1), found.getString(2)),
                DUE,
                shard,
                now.toEpochMilli(),
                limit));
  }
}
