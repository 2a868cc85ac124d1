package dev.runyard.core.webhook;

/// Calls the function `deliver` for deliveries. A message may come twice, or never: `sweep` finds
/// deliveries that are due.
@FunctionalInterface
public interface DeliveryQueue {
  int DELAY_SECONDS_MAX = 900;

  /// Has the function called for a delivery.
  ///
  /// @param delaySeconds how long nobody gets the message
  void send(DeliveryKey delivery, int delaySeconds);
}
