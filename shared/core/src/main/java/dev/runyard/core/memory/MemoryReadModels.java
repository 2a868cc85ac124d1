package dev.runyard.core.memory;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// The read models in memory. A snapshot is kept in its stored form, so that everything read has
/// been through [SnapshotCodec].
public final class MemoryReadModels implements ReadModels {
  /// Most bytes of an item of the real table.
  private static final int BODY_BYTES_MAX = 400_000;

  private final Map<String, NavigableMap<String, Row>> tenants = new HashMap<>();

  @Override
  public synchronized Optional<RunState.Existing> snapshot(RunKey run) {
    return Optional.ofNullable(rows(run.tenant()).get(run.runId())).map(Row::state);
  }

  @Override
  public synchronized boolean save(RunState.Existing run) {
    RunKey key = run.facts().run();
    NavigableMap<String, Row> rows =
        tenants.computeIfAbsent(key.tenant(), _ -> new TreeMap<>(Comparator.reverseOrder()));
    Row there = rows.get(key.runId());
    if (there != null && there.sequence >= run.sequence()) {
      return false;
    }
    byte[] body = SnapshotCodec.pack(run);
    if (body.length > BODY_BYTES_MAX) {
      throw new IllegalArgumentException("a snapshot of " + body.length + " bytes is no item");
    }
    rows.put(key.runId(), new Row(run, body));
    return true;
  }

  @Override
  public synchronized RunPage list(
      String tenant, RunFilter filter, int limit, Optional<String> after) {
    if (limit < 1 || limit > LIST_MAX) {
      throw new IllegalArgumentException("a list has 1 to " + LIST_MAX + " runs");
    }
    NavigableMap<String, Row> rows = rows(tenant);
    List<RunState.Existing> found = new ArrayList<>();
    for (Row row : after.map(id -> rows.tailMap(id, false)).orElse(rows).values()) {
      RunState.Existing run = SnapshotCodec.decode(row.brief);
      if (!filter.matches(run)) {
        continue;
      }
      if (found.size() == limit) {
        return new RunPage(found, Optional.of(found.getLast().facts().run().runId()));
      }
      found.add(run);
    }
    return new RunPage(found, Optional.empty());
  }

  @Override
  public synchronized List<RunKey> due(int shard, Instant now, int limit) {
    return tenants.values().stream()
        .flatMap(rows -> rows.values().stream())
        .filter(row -> ReadModels.shardOf(row.run) == shard)
        .filter(row -> row.due.filter(at -> !at.isAfter(now)).isPresent())
        .sorted(
            Comparator.comparing((Row row) -> row.due.orElseThrow())
                .thenComparing(row -> row.run.partition()))
        .limit(limit)
        .map(row -> row.run)
        .toList();
  }

  private NavigableMap<String, Row> rows(String tenant) {
    return tenants.getOrDefault(tenant, new TreeMap<>(Comparator.reverseOrder()));
  }

  private static final class Row {
    private final RunKey run;
    private final long sequence;
    private final byte[] body;
    private final String brief;
    private final Optional<Instant> due;

    private Row(RunState.Existing state, byte[] body) {
      this.run = state.facts().run();
      this.sequence = state.sequence();
      this.body = body;
      this.brief = SnapshotCodec.brief(state);
      this.due = state.dueAt();
    }

    private RunState.Existing state() {
      return SnapshotCodec.unpack(body);
    }
  }
}
