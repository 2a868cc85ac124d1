package dev.runyard.core.memory;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.HeldRuns;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/// Held runs in memory.
public final class MemoryHeldRuns implements HeldRuns {
  private final Map<String, NavigableSet<String>> tenants = new HashMap<>();

  @Override
  public synchronized void add(RunKey run) {
    tenants.computeIfAbsent(run.tenant(), _ -> new TreeSet<>()).add(run.runId());
  }

  @Override
  public synchronized List<RunKey> first(String tenant, int most) {
    return tenants.getOrDefault(tenant, new TreeSet<>()).stream()
        .limit(most)
        .map(id -> new RunKey(tenant, id))
        .toList();
  }

  @Override
  public synchronized void remove(RunKey run) {
    tenants.getOrDefault(run.tenant(), new TreeSet<>()).remove(run.runId());
  }
}
