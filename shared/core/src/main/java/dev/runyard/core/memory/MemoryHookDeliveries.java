package dev.runyard.core.memory;

import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.core.hook.HookDelivery;
import dev.runyard.core.hook.HookId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Deliveries in memory. Only an earlier one of the same slot is ever removed.
public final class MemoryHookDeliveries implements HookDeliveries {
  private final Map<Place, HookDelivery> kept = new HashMap<>();

  private record Place(HookId hook, String name) {}

  @Override
  public synchronized void add(HookDelivery delivery) {
    kept.put(new Place(delivery.hook(), delivery.slot()), delivery);
  }

  @Override
  public synchronized List<HookDelivery> newest(HookId hook, int limit) {
    return kept.values().stream()
        .filter(delivery -> delivery.hook().equals(hook))
        .sorted(Comparator.comparing(HookDelivery::at).reversed())
        .limit(limit)
        .toList();
  }
}
