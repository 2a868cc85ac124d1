package dev.runyard.embedded;

import dev.runyard.core.access.StreamToken;
import dev.runyard.core.access.StreamTokens;
import dev.runyard.core.ids.RunKey;
import java.time.Instant;
import java.util.Optional;

/// Stream tokens as a table.
final class SqliteStreamTokens implements StreamTokens {
  private static final String ADD =
      "insert into stream_tokens (hash, tenant, run, actor, key_hash, expires)"
          + " values (?, ?, ?, ?, ?, ?)";
  private static final String FIND =
      "select hash, tenant, run, actor, key_hash, expires from stream_tokens where hash = ?";

  private final StoreDatabase database;

  SqliteStreamTokens(StoreDatabase database) {
    this.database = database;
  }

  @Override
  public void add(StreamToken token) {
    database.write(
        "add a stream token",
        connection ->
            connection.update(
                ADD,
                token.hash(),
                token.run().tenant(),
                token.run().runId(),
                token.actor(),
                token.key().orElse(null),
                token.expires().toEpochMilli()));
  }

  @Override
  public Optional<StreamToken> find(String hash) {
    return database.read(
        "find a stream token",
        connection ->
            connection.row(
                found ->
                    new StreamToken(
                        found.getString(1),
                        new RunKey(found.getString(2), found.getString(3)),
                        found.getString(4),
                        Optional.ofNullable(found.getString(5)),
                        Instant.ofEpochMilli(found.getLong(6))),
                FIND,
                hash));
  }
}
