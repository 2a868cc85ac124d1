package dev.runyard.local.events;

import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.Record;

/// The streams of the tables, as far as a reader needs them. Positions are opaque.
public interface TableStreams {

  /// The shards of a table's stream, parents before children.
  Stream describe(String table);

  /// A position at the oldest record, the end, or after a record. A trimmed record gives the
  /// oldest.
  String position(String streamArn, String shardId, Start start);

  /// What follows a position; empty when records after it were trimmed, so that reading continues
  /// at the oldest. DynamoDB Local reports that even for a stream's very first record.
  Optional<Page> read(String position);

  /// How many writes were noticed so far; see [#awaitWrite].
  long writes();

  /// Waits until there may be something to read: until more than `seen` writes were noticed, or for
  /// the polling interval of a source that notices none.
  void awaitWrite(long seen) throws InterruptedException;

  /// A stream and its shards.
  record Stream(String arn, List<Shard> shards) {
    public Stream {
      shards = List.copyOf(shards);
    }
  }

  /// One ordered part of a stream; its parent's records come before its own.
  record Shard(String id, Optional<String> parent) {}

  /// Records in order and the position after them; no position when the shard has ended.
  record Page(List<Record> records, Optional<String> next) {
    public Page {
      records = List.copyOf(records);
    }
  }

  /// Where to begin in a shard.
  sealed interface Start {
    /// At the oldest available record.
    record Oldest() implements Start {}

    /// After the newest record.
    record Newest() implements Start {}

    /// After the record with this sequence number.
    record After(String sequenceNumber) implements Start {}
  }
}
