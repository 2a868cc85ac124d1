package dev.runyard.embedded;

import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.task.TaskSnapshotCodec;
import dev.runyard.core.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Snapshots of tasks as a table, with indexes for lists and what is due.
final class SqliteTaskModels implements TaskModels {
  private static final String SAVE =
      "insert into tasks (tenant, task, place, sequence, shard, due, expires, body)"
          + " values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (tenant, task) do update set"
          + " sequence = excluded.sequence, due = excluded.due, expires = excluded.expires,"
          + " body = excluded.body where excluded.sequence > tasks.sequence";
  private static final String SNAPSHOT = "select body from tasks where tenant = ? and task = ?";
  private static final String LIST =
      "select body from tasks indexed by tasks_list where tenant = ? and place < ?"
          + " order by place desc limit ?";
  private static final String DUE =
      "select tenant, task from tasks indexed by tasks_due"
          + " where shard = ? and due is not null and due <= ? order by due limit ?";

  /// Sorts after each place.
  private static final String END = "~";

  private final StoreDatabase database;
  private final Duration retention;
  private final InstantSource clock;

  SqliteTaskModels(StoreDatabase database, Duration retention, InstantSource clock) {
    this.database = database;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public Optional<TaskState.Existing> snapshot(TaskKey task) {
    return database
        .read(
            "snapshot",
            connection ->
                connection.row(found -> found.getBytes(1), SNAPSHOT, task.tenant(), task.taskId()))
        .map(TaskSnapshotCodec::unpack);
  }

  @Override
  public boolean save(TaskState.Existing task) {
    TaskKey key = task.facts().task();
    byte[] body = TaskSnapshotCodec.pack(task);
    return database.write(
            "save",
            connection ->
                connection.update(
                    SAVE,
                    key.tenant(),
                    key.taskId(),
                    TaskModels.placeOf(task),
                    task.sequence(),
                    TaskModels.shardOf(key),
                    task.dueAt().map(Instant::toEpochMilli).orElse(null),
                    clock.instant().plus(retention).toEpochMilli(),
                    body))
        == 1;
  }

  @Override
  public TaskPage list(String tenant, int limit, Optional<String> after) {
    List<byte[]> found =
        database.read(
            "list",
            connection ->
                connection.rows(
                    row -> row.getBytes(1), LIST, tenant, after.orElse(END), limit + 1));
    return TaskPage.of(
        found.stream().<TaskState.Existing>map(TaskSnapshotCodec::unpack).toList(), limit);
  }

  @Override
  public List<TaskKey> due(int shard, Instant now, int limit) {
    return database.read(
        "due",
        connection ->
            connection.rows(
                found -> new TaskKey(found.getString(1), found.getString(2)),
                DUE,
                shard,
                now.toEpochMilli(),
                limit));
  }
}
