package dev.runyard.core.memory;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.projection.SnapshotBody;
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
import org.jspecify.annotations.Nullable;

/// The read models in memory. A snapshot is kept as the JSON of its stored form, so that everything
/// read has been through [SnapshotCodec].
public final class MemoryReadModels implements ReadModels {
  /// Most bytes of an item of the real table.
  private static final int BODY_BYTES_MAX = 400_000;

  /// A shorter JSON fits an item in whatever form.
  private static final int PACKED_CHARS_MIN = SnapshotCodec.SNAPSHOT_BYTES_MAX / 4;

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
    rows.put(key.runId(), new Row(run, json(run)));
    return true;
  }

  /// Only what is long is packed, which may cut it.
  private static String json(RunState.Existing run) {
    String whole = SnapshotCodec.encode(run);
    if (whole.length() <= PACKED_CHARS_MIN) {
      return whole;
    }
    byte[] body = SnapshotCodec.pack(run);
    if (body.length > BODY_BYTES_MAX) {
      throw new IllegalArgumentException("a snapshot of " + body.length + " bytes is no item");
    }
    return SnapshotBody.decode(body);
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
      RunState.Existing run = row.brief();
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
    private final String json;
    private final Optional<Instant> due;
    private RunState.@Nullable Existing state;
    private RunState.@Nullable Existing brief;

    private Row(RunState.Existing state, String json) {
      this.run = state.facts().run();
      this.sequence = state.sequence();
      this.json = json;
      this.due = state.dueAt();
    }

    /// Decoded once, as all states are immutable.
    private RunState.Existing state() {
      RunState.Existing known = state;
      if (known == null) {
        known = SnapshotCodec.decode(json);
        state = known;
      }
      return known;
    }

    private RunState.Existing brief() {
      RunState.Existing known = brief;
      if (known == null) {
        known = SnapshotCodec.decode(SnapshotCodec.brief(state()));
        brief = known;
      }
      return known;
    }
  }
}
