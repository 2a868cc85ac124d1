package dev.runyard.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.core.hook.HookDelivery;
import dev.runyard.core.hook.HookId;
import dev.runyard.core.hook.HookLimits;
import dev.runyard.core.json.JsonFormat;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/// Deliveries as a table, a row a slot.
final class SqliteHookDeliveries implements HookDeliveries {
  private static final Duration KEPT = Duration.ofDays(HookLimits.DELIVERY_DAYS);
  private static final String ADD =
      "insert into hook_deliveries (tenant, token, slot, at, expires, body)"
          + " values (?, ?, ?, ?, ?, ?) on conflict (tenant, token, slot) do update"
          + " set at = excluded.at, expires = excluded.expires, body = excluded.body";
  private static final String NEWEST =
      "select body from hook_deliveries where tenant = ? and token = ? order by at desc limit ?";

  private final StoreDatabase database;

  SqliteHookDeliveries(StoreDatabase database) {
    this.database = database;
  }

  @Override
  public void add(HookDelivery delivery) {
    database.write(
        "keep a delivery",
        connection ->
            connection.update(
                ADD,
                delivery.hook().tenant(),
                delivery.hook().token(),
                delivery.slot(),
                delivery.at().toEpochMilli(),
                delivery.at().plus(KEPT).toEpochMilli(),
                delivery.json().toString()));
  }

  @Override
  public List<HookDelivery> newest(HookId hook, int limit) {
    return database
        .read(
            "list deliveries",
            connection ->
                connection.rows(
                    StoreConnection.Row.TEXT, NEWEST, hook.tenant(), hook.token(), limit))
        .stream()
        .map(body -> delivery(hook, body))
        .toList();
  }

  private static HookDelivery delivery(HookId hook, String body) {
    try {
      return HookDelivery.of(hook, JsonFormat.JSON.readTree(body));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
