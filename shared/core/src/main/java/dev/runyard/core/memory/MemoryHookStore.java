package dev.runyard.core.memory;

import dev.runyard.core.hook.Hook;
import dev.runyard.core.hook.HookId;
import dev.runyard.core.hook.HookStore;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Hooks in memory.
public final class MemoryHookStore implements HookStore {
  private final Map<HookId, Hook> hooks = new HashMap<>();

  @Override
  public synchronized Optional<Hook> find(HookId id) {
    return Optional.ofNullable(hooks.get(id));
  }

  @Override
  public synchronized List<Hook> list(String tenant) {
    return hooks.values().stream()
        .filter(hook -> hook.id().tenant().equals(tenant))
        .sorted(Comparator.comparing(hook -> hook.id().token()))
        .limit(LISTED_MAX)
        .toList();
  }

  @Override
  public synchronized boolean write(Hook hook) {
    Hook there = hooks.get(hook.id());
    long before = there == null ? 0 : there.version();
    if (before != hook.version() - 1) {
      return false;
    }
    hooks.put(hook.id(), hook);
    return true;
  }

  @Override
  public synchronized boolean delete(HookId id) {
    return hooks.remove(id) != null;
  }
}
