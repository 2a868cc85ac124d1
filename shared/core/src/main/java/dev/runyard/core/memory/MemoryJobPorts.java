package dev.runyard.core.memory;

import dev.runyard.core.job.ItemRow;
import dev.runyard.core.job.JobItems;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobPorts;
import dev.runyard.core.job.JobSnapshotCodec;
import dev.runyard.core.job.JobState;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// What is stored of jobs, in memory. Snapshots and rows are kept in their stored form, so that
/// everything read has been through its codec.
public final class MemoryJobPorts implements JobPorts {
  private final Models models = new Models();
  private final Items items = new Items();

  @Override
  public JobModels models() {
    return models;
  }

  @Override
  public JobItems items() {
    return items;
  }

  private static final class Models implements JobModels {
    private final Map<JobKey, byte[]> kept = new HashMap<>();

    @Override
    public synchronized Optional<JobState.Existing> snapshot(JobKey job) {
      return Optional.ofNullable(kept.get(job)).map(JobSnapshotCodec::unpack);
    }

    @Override
    public synchronized boolean save(JobState.Existing job) {
      JobKey key = job.facts().job();
      boolean newer = snapshot(key).filter(there -> there.sequence() >= job.sequence()).isEmpty();
      if (newer) {
        kept.put(key, JobSnapshotCodec.pack(job));
      }
      return newer;
    }

    @Override
    public synchronized JobPage list(String tenant, int limit, Optional<String> after) {
      List<JobState.Existing> found =
          kept.values().stream()
              .map(JobSnapshotCodec::unpack)
              .filter(job -> job.facts().job().tenant().equals(tenant))
              .filter(job -> after.isEmpty() || JobModels.placeOf(job).compareTo(after.get()) < 0)
              .sorted(Comparator.comparing(JobModels::placeOf).reversed())
              .limit(limit + 1L)
              .toList();
      return JobPage.of(found, limit);
    }

    @Override
    public synchronized List<JobKey> due(int shard, Instant now, int limit) {
      return kept.values().stream()
          .map(JobSnapshotCodec::unpack)
          .filter(job -> JobModels.shardOf(job.facts().job()) == shard)
          .filter(job -> job.dueAt().filter(at -> !at.isAfter(now)).isPresent())
          .sorted(Comparator.comparing(job -> job.dueAt().orElseThrow()))
          .limit(limit)
          .map(job -> job.facts().job())
          .toList();
    }
  }

  private static final class Items implements JobItems {
    private final Map<JobKey, Map<String, byte[]>> requests = new HashMap<>();
    private final Map<JobKey, NavigableMap<Integer, String>> rows = new HashMap<>();

    @Override
    public synchronized void put(JobKey job, String name, byte[] content) {
      requests.computeIfAbsent(job, _ -> new HashMap<>()).putIfAbsent(name, content.clone());
    }

    @Override
    public synchronized Optional<byte[]> requests(JobKey job, String name) {
      return Optional.ofNullable(requests.getOrDefault(job, Map.of()).get(name)).map(byte[]::clone);
    }

    @Override
    public synchronized void save(JobKey job, List<ItemRow> some) {
      NavigableMap<Integer, String> its = rows.computeIfAbsent(job, _ -> new TreeMap<>());
      for (ItemRow row : some) {
        String there = its.get(row.item());
        if (there == null || ItemRow.decode(there).sequence() < row.sequence()) {
          its.put(row.item(), row.encode());
        }
      }
    }

    @Override
    public synchronized Optional<ItemRow> row(JobKey job, int item) {
      return Optional.ofNullable(rows.getOrDefault(job, new TreeMap<>()).get(item))
          .map(ItemRow::decode);
    }

    @Override
    public synchronized List<ItemRow> rows(JobKey job, int from, int limit) {
      return rows.getOrDefault(job, new TreeMap<>()).tailMap(from, true).values().stream()
          .limit(limit)
          .map(ItemRow::decode)
          .toList();
    }
  }
}
