package dev.runyard.embedded;

import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.DeliveryQueue;
import java.util.List;

/// The messages that call the function `deliver`, and what gives them to it.
public final class DeliveryMessages implements DeliveryQueue {
  private final MessageRows rows;

  DeliveryMessages(MessageRows rows) {
    this.rows = rows;
  }

  @Override
  public void send(DeliveryKey delivery, int delaySeconds) {
    rows.send(delivery.text(), delaySeconds);
  }

  /// Takes up to `max` messages and hides them from others for a while; waits for the first.
  public List<Message> receive(int max, int waitSeconds) {
    return rows.receive(max, waitSeconds).stream()
        .map(held -> new Message(held.id(), held.text(), held.delivery()))
        .toList();
  }

  /// Removes a message that was handled, unless somebody else has it by now.
  public void delete(Message message) {
    rows.delete(new MessageRows.Held("", message.id(), message.text(), message.delivery()));
  }

  void giveBack() {
    rows.giveBack();
  }

  /// A message that was received.
  ///
  /// @param delivery how often it was, this time included
  public record Message(String id, String text, int delivery) {}
}
