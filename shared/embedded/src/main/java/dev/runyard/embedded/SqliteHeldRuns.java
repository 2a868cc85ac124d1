package dev.runyard.embedded;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.HeldRuns;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Held runs as a table.
final class SqliteHeldRuns implements HeldRuns {
  private static final String ADD =
      "insert into held (tenant, run, expires) values (?, ?, ?)"
          + " on conflict (tenant, run) do update set expires = excluded.expires";
  private static final String FIRST = "select run from held where tenant = ? order by run limit ?";
  private static final String NEXT =
      "select tenant from held where tenant > ? order by tenant limit 1";
  private static final String REMOVE = "delete from held where tenant = ? and run = ?";

  private final StoreDatabase database;
  private final Duration retention;
  private final InstantSource clock;

  SqliteHeldRuns(StoreDatabase database, Duration retention, InstantSource clock) {
    this.database = database;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public void add(RunKey run) {
    long expires = clock.instant().plus(retention).toEpochMilli();
    database.write(
        "hold", connection -> connection.update(ADD, run.tenant(), run.runId(), expires));
  }

  @Override
  public List<RunKey> first(String tenant, int most) {
    return database
        .read(
            "held runs",
            connection -> connection.rows(StoreConnection.Row.TEXT, FIRST, tenant, most))
        .stream()
        .map(id -> new RunKey(tenant, id))
        .toList();
  }

  @Override
  public void remove(RunKey run) {
    database.write("let go", connection -> connection.update(REMOVE, run.tenant(), run.runId()));
  }

  @Override
  public Optional<String> nextTenant(String after) {
    return database
        .read(
            "tenants of held runs",
            connection -> connection.rows(StoreConnection.Row.TEXT, NEXT, after))
        .stream()
        .findFirst();
  }
}
