package dev.runyard.core.memory;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.HeldRuns;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Held runs in memory.
public final class MemoryHeldRuns implements HeldRuns {
  private final NavigableMap<String, NavigableSet<String>> tenants = new TreeMap<>();

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
    NavigableSet<String> held = tenants.getOrDefault(run.tenant(), new TreeSet<>());
    held.remove(run.runId());
    if (held.isEmpty()) {
      tenants.remove(run.tenant());
    }
  }

  @Override
  public synchronized Optional<String> nextTenant(String after) {
    return Optional.ofNullable(tenants.higherKey(after));
  }
}
