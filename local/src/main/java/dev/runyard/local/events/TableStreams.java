package dev.runyard.local.events;

import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.Record;

/// The streams of the tables, as far as a reader needs them. Positions are opaque.
public interface TableStreams {

  /// The shards of a table's stream, parents before children.
  Stream describe(String table);

  /// A position at the oldest record, the end, or behind a record. A record that was trimmed gives
  /// the oldest.
  String position(String streamArn, String shardId, Start start);

  /// What follows a position; empty when records behind it were trimmed, so that reading goes on at
  /// the oldest. DynamoDB Local says so of a stream's very first record as well.
  Optional<Page> read(String position);

  /// How many writes were noticed so far; see [#awaitWrite].
  long writes();

  /// Waits until there may be something to read: until more than `seen` writes were noticed, or for
  /// as long as a source that notices none is worth leaving alone.
  void awaitWrite(long seen) throws InterruptedException;

  /// A stream and what it is cut into.
  record Stream(String arn, List<Shard> shards) {
    public Stream {
      shards = List.copyOf(shards);
    }
  }

  /// One ordered part of a stream; its parent's records come before its own.
  record Shard(String id, Optional<String> parent) {}

  /// Records in order and the position behind them; no position when the shard has ended.
  record Page(List<Record> records, Optional<String> next) {
    public Page {
      records = List.copyOf(records);
    }
  }

  /// Where to begin in a shard.
  sealed interface Start {
    /// At the oldest record that is kept.
    record Oldest() implements Start {}

    /// Behind the newest record.
    record Newest() implements Start {}

    /// Behind the record with this sequence number.
    record After(String sequenceNumber) implements Start {}
  }
}
