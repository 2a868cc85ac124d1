package dev.runyard.core.hook;

import java.util.List;

/// What became of deliveries, for those who wonder why a run did or did not start. Kept for
/// [HookLimits#DELIVERY_DAYS]; whether one has expired is judged by its removal alone.
///
/// Calls fail with [dev.runyard.core.problem.PortUnavailable] if the store does not answer.
public interface HookDeliveries {
  /// Keeps it, in place of an earlier one in the same slot.
  void add(HookDelivery delivery);

  /// The newest of a hook, newest first.
  List<HookDelivery> newest(HookId hook, int limit);
}
