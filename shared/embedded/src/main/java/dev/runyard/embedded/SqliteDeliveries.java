package dev.runyard.embedded;

import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.Delivery;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.WebhookCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Deliveries of webhooks as a table.
final class SqliteDeliveries implements Deliveries {
  private static final String ADD =
      "insert into deliveries (version, shard, due, expires, body, tenant, webhook, id)"
          + " values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (tenant, webhook, id) do nothing";
  private static final String FIND =
      "select body from deliveries where tenant = ? and webhook = ? and id = ?";
  private static final String UPDATE =
      "update deliveries set version = ?, shard = ?, due = ?, expires = ?, body = ?"
          + " where tenant = ? and webhook = ? and id = ? and version = ?";
  private static final String LIST =
      "select body from deliveries where tenant = ? and webhook = ? and id < ?"
          + " order by id desc limit ?";
  private static final String DUE =
      "select tenant, webhook, id from deliveries indexed by deliveries_due"
          + " where shard = ? and due is not null and due <= ?"
          + " order by due, tenant, webhook, id limit ?";

  /// Sorts after every id.
  private static final String LAST = "~";

  private final StoreDatabase database;
  private final Duration retention;
  private final InstantSource clock;

  SqliteDeliveries(StoreDatabase database, Duration retention, InstantSource clock) {
    this.database = database;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public boolean add(Delivery delivery) {
    return write(ADD, delivery, false);
  }

  @Override
  public Optional<Delivery> find(DeliveryKey key) {
    return database
        .read(
            "delivery",
            connection ->
                connection.row(
                    StoreConnection.Row.TEXT, FIND, key.tenant(), key.webhookId(), key.id()))
        .map(WebhookCodec::delivery);
  }

  @Override
  public boolean update(Delivery next) {
    return write(UPDATE, next, true);
  }

  private boolean write(String sql, Delivery delivery, boolean versioned) {
    Delivery stored = delivery.stored();
    DeliveryKey key = delivery.key();
    Instant due = delivery.dueAt();
    @Nullable Object[] values = {
      stored.version(),
      Deliveries.shardOf(key),
      due == null ? null : due.toEpochMilli(),
      clock.instant().plus(retention).toEpochMilli(),
      WebhookCodec.encode(stored),
      key.tenant(),
      key.webhookId(),
      key.id(),
      delivery.version()
    };
    @Nullable Object[] given = versioned ? values : Arrays.copyOf(values, values.length - 1);
    return database.write("keep a delivery", connection -> connection.update(sql, given)) == 1;
  }

  @Override
  public List<Delivery> list(String tenant, String webhookId, int limit, Optional<String> after) {
    return database
        .read(
            "deliveries",
            connection ->
                connection.rows(
                    StoreConnection.Row.TEXT, LIST, tenant, webhookId, after.orElse(LAST), limit))
        .stream()
        .map(WebhookCodec::delivery)
        .toList();
  }

  @Override
  public List<DeliveryKey> due(int shard, Instant now, int limit) {
    return database.read(
        "due deliveries",
        connection ->
            connection.rows(
                found ->
                    new DeliveryKey(found.getString(1), found.getString(2), found.getString(3)),
                DUE,
                shard,
                now.toEpochMilli(),
                limit));
  }
}
