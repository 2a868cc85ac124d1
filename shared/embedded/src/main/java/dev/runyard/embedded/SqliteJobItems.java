package dev.runyard.embedded;

import dev.runyard.core.job.ItemRow;
import dev.runyard.core.job.JobItems;
import dev.runyard.core.job.JobKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// What is stored of items, as two tables: what they ask for, and how they ended.
final class SqliteJobItems implements JobItems {
  private static final String PUT =
      "insert into job_requests (tenant, job, name, expires, body) values (?, ?, ?, ?, ?)"
          + " on conflict (tenant, job, name) do nothing";
  private static final String REQUESTS =
      "select body from job_requests where tenant = ? and job = ? and name = ?";
  private static final String SAVE =
      "insert into job_items (tenant, job, item, sequence, expires, body)"
          + " values (?, ?, ?, ?, ?, ?) on conflict (tenant, job, item) do update set"
          + " sequence = excluded.sequence, expires = excluded.expires, body = excluded.body"
          + " where excluded.sequence > job_items.sequence";
  private static final String ROWS =
      "select body from job_items where tenant = ? and job = ? and item >= ?"
          + " order by item limit ?";

  private final StoreDatabase database;
  private final Duration retention;
  private final InstantSource clock;

  SqliteJobItems(StoreDatabase database, Duration retention, InstantSource clock) {
    this.database = database;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public void put(JobKey job, String name, byte[] requests) {
    database.write(
        "keep what items ask for",
        connection -> connection.update(PUT, job.tenant(), job.jobId(), name, expires(), requests));
  }

  @Override
  public Optional<byte[]> requests(JobKey job, String name) {
    return database.read(
        "read what items ask for",
        connection ->
            connection.row(found -> found.getBytes(1), REQUESTS, job.tenant(), job.jobId(), name));
  }

  @Override
  public void save(JobKey job, List<ItemRow> rows) {
    database.write(
        "save items",
        connection -> {
          int changed = 0;
          for (ItemRow row : rows) {
            changed +=
                connection.update(
                    SAVE,
                    job.tenant(),
                    job.jobId(),
                    row.item(),
                    row.sequence(),
                    expires(),
                    row.encode());
          }
          return changed;
        });
  }

  @Override
  public Optional<ItemRow> row(JobKey job, int item) {
    return rows(job, item, 1).stream().filter(row -> row.item() == item).findFirst();
  }

  @Override
  public List<ItemRow> rows(JobKey job, int from, int limit) {
    return database
        .read(
            "rows",
            connection ->
                connection.rows(
                    StoreConnection.Row.TEXT, ROWS, job.tenant(), job.jobId(), from, limit))
        .stream()
        .map(ItemRow::decode)
        .toList();
  }

  private long expires() {
    return clock.instant().plus(retention).toEpochMilli();
  }
}
