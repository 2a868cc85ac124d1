package dev.runyard.embedded;

import dev.runyard.core.webhook.WebhookCodec;
import dev.runyard.core.webhook.Webhooks;

/// The webhooks of tenants as a table: a row a tenant, which is written on the condition that its
/// version is still the one read.
final class SqliteWebhooks implements Webhooks {
  private static final String READ = "select version, body from webhooks where tenant = ?";
  private static final String FIRST =
      "insert into webhooks (version, body, tenant) values (?, ?, ?)"
          + " on conflict (tenant) do nothing";
  private static final String NEXT =
      "update webhooks set version = ?, body = ? where tenant = ? and version = ?";

  private final StoreDatabase database;

  SqliteWebhooks(StoreDatabase database) {
    this.database = database;
  }

  @Override
  public Registered read(String tenant) {
    return database
        .read(
            "webhooks",
            connection ->
                connection.row(
                    found ->
                        new Registered(found.getLong(1), WebhookCodec.webhooks(found.getString(2))),
                    READ,
                    tenant))
        .orElse(Registered.NONE);
  }

  @Override
  public boolean write(String tenant, Registered next) {
    String body = WebhookCodec.encode(next.webhooks());
    long before = next.version();
    return database.write(
            "keep webhooks",
            connection ->
                before == 0
                    ? connection.update(FIRST, 1, body, tenant)
                    : connection.update(NEXT, before + 1, body, tenant, before))
        == 1;
  }
}
