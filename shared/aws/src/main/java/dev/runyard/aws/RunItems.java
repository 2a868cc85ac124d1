package dev.runyard.aws;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.SnapshotBody;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.run.RunState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The stored items of a run's read models: a snapshot in its own partition, and a row in one shard
/// of its tenant's list. In older data both are one item of `<tenant>#runs`; such items are read
/// like the others until they expire.
final class RunItems {
  static final String PK = "pk";
  static final String SK = "sk";
  static final String BODY = "body";
  static final String SEQ = "seq";
  static final String OPEN = "open";
  static final String DUE = "due";
  private static final String ONE_PARTITION = "#runs";
  private static final String SHARD_PREFIX = "open#";

  /// The sort key of the only item of its kind in a partition.
  static final AttributeValue ONLY = Attributes.text("-");

  /// Present in the order of turns if every run of the session has its row.
  static final String INDEXED = "indexed";

  private RunItems() {}

  static Map<String, AttributeValue> snapshotKey(RunKey run) {
    return Map.of(PK, Attributes.text(run.partition()), SK, ONLY);
  }

  static Map<String, AttributeValue> snapshot(RunState.Existing run, AttributeValue expires) {
    RunKey key = run.facts().run();
    Map<String, AttributeValue> item = new HashMap<>(snapshotKey(key));
    item.put(SEQ, Attributes.number(run.sequence()));
    item.put(BODY, Attributes.bytes(SnapshotCodec.pack(run)));
    item.put(Attributes.EXPIRES, expires);
    run.dueAt()
        .ifPresent(
            due -> {
              item.put(OPEN, dueShard(ReadModels.shardOf(key)));
              item.put(DUE, Attributes.number(due.toEpochMilli()));
            });
    return item;
  }

  static Map<String, AttributeValue> row(RunState.Existing run, AttributeValue expires) {
    RunKey key = run.facts().run();
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(PK, listPartition(key.tenant(), ReadModels.listShardOf(key)));
    item.put(SK, Attributes.text(key.runId()));
    item.put(SEQ, Attributes.number(run.sequence()));
    item.put(BODY, Attributes.bytes(SnapshotBody.encode(SnapshotCodec.brief(run))));
    item.put("status", Attributes.text(run.status().wire()));
    item.put("agent", Attributes.text(run.facts().request().agent()));
    item.put("session", Attributes.text(run.facts().request().sessionId()));
    item.put(Attributes.EXPIRES, expires);
    return item;
  }

  /// The row of a run in its session; empty for a run that is alone in its own session, and is
  /// found by its id.
  static Optional<Map<String, AttributeValue>> sessionRow(
      RunState.Existing run, AttributeValue expires) {
    RunKey key = run.facts().run();
    String session = run.facts().request().sessionId();
    if (session.equals(key.runId())) {
      return Optional.empty();
    }
    Map<String, AttributeValue> item = row(run, expires);
    item.put(PK, sessionPartition(key.tenant(), session));
    return Optional.of(item);
  }

  /// The partition of a session's runs and of the order of its turns.
  static AttributeValue sessionPartition(String tenant, String sessionId) {
    return Attributes.text(tenant + "#session#" + sessionId);
  }

  static AttributeValue listPartition(String tenant, int shard) {
    return Attributes.text(tenant + ONE_PARTITION + "#" + shard);
  }

  /// The partition of all of a tenant's older items.
  static AttributeValue onePartition(String tenant) {
    return Attributes.text(tenant + ONE_PARTITION);
  }

  static Map<String, AttributeValue> formerKey(RunKey run) {
    return Map.of(PK, onePartition(run.tenant()), SK, Attributes.text(run.runId()));
  }

  /// What replaces an older item after its run was saved again: it is in no list and never due.
  static Map<String, AttributeValue> moved(RunKey run, AttributeValue expires) {
    Map<String, AttributeValue> item = new HashMap<>(formerKey(run));
    item.put(Attributes.EXPIRES, expires);
    return item;
  }

  static boolean hasBody(Map<String, AttributeValue> item) {
    return item.containsKey(BODY);
  }

  /// The state in an item; older items have it as text.
  static RunState.Existing state(Map<String, AttributeValue> item) {
    AttributeValue body = Attributes.of(item, BODY);
    return SnapshotCodec.decode(
        body.b() == null ? body.s() : SnapshotBody.decode(body.b().asByteArrayUnsafe()));
  }

  /// The run of an item of the index `due`: its shards named `open#` contain only runs.
  static RunKey run(Map<String, AttributeValue> item) {
    String partition = Attributes.textOf(item, PK);
    return partition.endsWith(ONE_PARTITION)
        ? new RunKey(
            partition.substring(0, partition.length() - ONE_PARTITION.length()),
            Attributes.textOf(item, SK))
        : RunKey.ofPartition(partition);
  }

  static AttributeValue dueShard(int shard) {
    return Attributes.text(SHARD_PREFIX + shard);
  }
}
