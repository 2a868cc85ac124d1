package dev.runyard.core.hook;

import dev.runyard.core.memory.MemoryHookStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Hooks in memory, of which others write some just before a test does.
final class ContestedHooks implements HookStore {
  private final MemoryHookStore store = new MemoryHookStore();
  private final Deque<UnaryOperator<Hook>> others = new ArrayDeque<>();

  /// Before one write more, another write of the same version is made of it.
  void contested(UnaryOperator<Hook> other) {
    others.add(other);
  }

  @Override
  public Optional<Hook> find(HookId id) {
    return store.find(id);
  }

  @Override
  public List<Hook> list(String tenant) {
    return store.list(tenant);
  }

  @Override
  public boolean write(Hook hook) {
    UnaryOperator<Hook> other = others.poll();
    if (other != null) {
      store.write(other.apply(hook));
    }
    return store.write(hook);
  }

  @Override
  public boolean delete(HookId id) {
    return store.delete(id);
  }
}
