package dev.runyard.core.memory;

import dev.runyard.core.job.ItemRow;
import dev.runyard.core.job.JobItems;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobPorts;
import dev.runyard.core.job.JobState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// What is stored of jobs, in memory and in its stored form, so that everything read has been
/// through its codec.
public final class MemoryJobPorts implements JobPorts {
  private final Snapshots models = new Snapshots();
  private final Items items = new Items();

  @Override
  public JobModels models() {
    return models;
  }

  @Override
  public JobItems items() {
    return items;
  }

  private static final class Snapshots extends MemoryModels<JobKey, JobState.Existing>
      implements JobModels {
    Snapshots() {
      super(KIND);
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
