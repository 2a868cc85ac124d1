package dev.runyard.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.TenantUse;
import dev.runyard.core.quota.TenantUses;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What tenants use as a table: a row a tenant, read and written again within one write, of which
/// there is one at a time.
final class SqliteTenantUses implements TenantUses {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String READ = "select body from uses where tenant = ?";
  private static final String ALL = "select tenant, body from uses order by tenant";
  private static final String WRITE =
      "insert into uses (tenant, body, expires) values (?, ?, ?)"
          + " on conflict (tenant) do update set body = excluded.body, expires = excluded.expires";

  private final StoreDatabase database;
  private final Duration retention;
  private final InstantSource clock;

  SqliteTenantUses(StoreDatabase database, Duration retention, InstantSource clock) {
    this.database = database;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public TenantUse read(String tenant) {
    return database.read("what is used", connection -> use(connection, tenant));
  }

  @Override
  public Map<String, TenantUse> all() {
    return database.read(
        "what all use",
        connection -> {
          Map<String, TenantUse> all = new TreeMap<>();
          connection
              .rows(found -> Map.entry(found.getString(1), use(found.getString(2))), ALL)
              .forEach(row -> all.put(row.getKey(), row.getValue()));
          return all;
        });
  }

  @Override
  public Optional<QuotaLimit> admit(RunKey run, Quota quota, Instant now) {
    return database.write(
        "count",
        connection -> {
          TenantUse use = use(connection, run.tenant());
          Optional<QuotaLimit> refusal = use.refusal(quota, run.runId(), now);
          if (refusal.isEmpty()) {
            write(connection, run.tenant(), use.admitted(quota, run.runId(), now));
          }
          return refusal;
        });
  }

  @Override
  public boolean place(RunKey run, long most) {
    return database.write(
        "count",
        connection -> {
          TenantUse use = use(connection, run.tenant());
          boolean has = use.hasPlace(run.runId(), most);
          if (has) {
            write(connection, run.tenant(), use.placed(run.runId()));
          }
          return has;
        });
  }

  @Override
  public void free(RunKey run, Optional<Ended> ended) {
    boolean _ =
        database.write(
            "count",
            connection -> {
              TenantUse use = use(connection, run.tenant());
              TenantUse left =
                  ended
                      .map(end -> use.ended(run.runId(), end))
                      .orElseGet(() -> use.unplaced(run.runId()));
              if (!left.equals(use)) {
                write(connection, run.tenant(), left);
              }
              return true;
            });
  }

  private void write(StoreConnection connection, String tenant, TenantUse use) throws SQLException {
    connection.update(WRITE, tenant, text(use), clock.instant().plus(retention).toEpochMilli());
  }

  private static TenantUse use(StoreConnection connection, String tenant) throws SQLException {
    return connection.row(found -> use(found.getString(1)), READ, tenant).orElse(TenantUse.NONE);
  }

  private static String text(TenantUse use) {
    try {
      return JSON.writeValueAsString(use);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TenantUse use(String stored) {
    try {
      return JSON.readValue(stored, TenantUse.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
