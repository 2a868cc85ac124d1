package dev.runyard.embedded;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.submit.IdempotencyStore;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/// Idempotency keys as a table. The key itself is the caller's and is stored only as a digest.
final class SqliteIdempotencyStore implements IdempotencyStore {
  private static final String BIND =
      "insert into keys (tenant, digest, run, fingerprint, expires) values (?, ?, ?, ?, ?)"
          + " on conflict (tenant, digest) do update set run = excluded.run,"
          + " fingerprint = excluded.fingerprint, expires = excluded.expires where expires <= ?";
  private static final String BOUND =
      "select fingerprint, run from keys where tenant = ? and digest = ?";

  private static final String FIND =
      "select run from keys where tenant = ? and digest = ? and expires > ?";

  private final StoreDatabase database;

  SqliteIdempotencyStore(StoreDatabase database) {
    this.database = database;
  }

  @Override
  public Binding bind(Claim claim) {
    String digest = Digest.hex(claim.key());
    return database.write(
        "bind",
        connection -> {
          int bound =
              connection.update(
                  BIND,
                  claim.tenant(),
                  digest,
                  claim.runId(),
                  claim.fingerprint(),
                  claim.expiresAt().toEpochMilli(),
                  claim.now().toEpochMilli());
          return bound == 1 ? new Binding.Fresh() : there(connection, claim, digest);
        });
  }

  @Override
  public Optional<String> find(String tenant, String key, Instant now) {
    return database.read(
        "find",
        connection ->
            connection.row(
                StoreConnection.Row.TEXT, FIND, tenant, Digest.hex(key), now.toEpochMilli()));
  }

  private static Binding there(StoreConnection connection, Claim claim, String digest)
      throws SQLException {
    return connection
        .<Binding>row(
            found ->
                found.getString(1).equals(claim.fingerprint())
                    ? new Binding.Known(found.getString(2))
                    : new Binding.Mismatch(),
            BOUND,
            claim.tenant(),
            digest)
        .orElseThrow();
  }
}
