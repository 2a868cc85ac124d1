package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.embedded.DeliveryMessages.Message;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
final class DeliveryMessagesTest {
  private static final DeliveryKey KEY =
      new DeliveryKey("acme", "wh_0123456789abcdef", "msg_" + "0".repeat(44));
  private final StoreRig rig;

  DeliveryMessagesTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void giveAMessageToOneAtATimeUntilItIsDeleted() {
    DeliveryMessages messages = rig.store().deliveryMessages();
    messages.send(KEY, 0);
    List<Message> first = messages.receive(1, 0);
    assertEquals(List.of(KEY.text()), first.stream().map(Message::text).toList());
    assertEquals(List.of(), messages.receive(1, 0));

    rig.clock().advance(Duration.ofMinutes(3));
    List<Message> again = messages.receive(1, 0);
    assertEquals(2, again.getFirst().delivery());
    messages.delete(first.getFirst());
    rig.clock().advance(Duration.ofMinutes(3));
    Message third = messages.receive(1, 0).getFirst();
    messages.delete(third);
    rig.clock().advance(Duration.ofMinutes(3));
    assertEquals(List.of(), messages.receive(1, 0));
  }

  @Test
  void keepAMessageBackAndGiveItAgainToTheNextProcess() {
    rig.store().deliveryMessages().send(KEY, 5);
    assertEquals(List.of(), rig.store().deliveryMessages().receive(1, 0));
    rig.clock().advance(Duration.ofSeconds(5));
    assertEquals(1, rig.store().deliveryMessages().receive(1, 0).size());

    EmbeddedStore next = rig.reopened();
    next.giveBack();
    assertEquals(1, next.deliveryMessages().receive(1, 0).size());
  }
}
