package dev.runyard.core.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.webhook.DeliverWebhook.Outcome;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What others write while a delivery is tried, or a webhook changed, is neither lost nor in the
/// way.
final class ContestedWebhooksTest {
  private final WebhookRig rig = new WebhookRig();
  private final ContestedWebhooks ports = new ContestedWebhooks(rig.memory.webhooks());
  private final ManageWebhooks manage =
      new ManageWebhooks(ports, rig.clock, new RandomIds(new Random(7)), () -> WebhookRig.SECRET);
  private final Webhook webhook = rig.created("run.completed");
  private final DeliveryKey key = told();

  @Test
  void disablesWhoIsGoneThoughOthersWriteItsWebhooks() {
    ports.lateWrites = 9;

    assertEquals(Outcome.DISABLED, deliver(WebhookRig.status(410)));

    assertEquals(Webhook.Cause.GONE, disabled().cause());
  }

  @Test
  void leavesAWebhookAsItIsThatOthersKeepWriting() {
    ports.lateWrites = 10;

    assertEquals(Outcome.FAILED, deliver(WebhookRig.status(410)));

    assertNull(rig.webhook(webhook).disabled());
    assertEquals(Delivery.State.FAILED, delivery().state());
  }

  @Test
  void notesSinceWhenAWebhookFailsThoughOthersWrite() {
    ports.lateWrites = 1;

    deliver(WebhookRig.ERROR);

    assertEquals(rig.clock.instant(), rig.webhook(webhook).failingSince());
  }

  @Test
  void givesUpADeliveryWhoseWebhookIsDeletedMeanwhile() {
    DeliverWebhook deliver =
        new DeliverWebhook(
            ports,
            _ -> {
              rig.manage.delete(WebhookRig.TENANT, webhook.id());
              return WebhookRig.ERROR;
            },
            rig.clock);

    assertEquals(Outcome.DISABLED, deliver.deliver(key));

    assertEquals(Delivery.State.FAILED, delivery().state());
  }

  @Test
  void leavesADeliveryToWhoeverBeganItAnewMeanwhile() {
    for (WebhookSender.Answer answer :
        new WebhookSender.Answer[] {WebhookRig.OK, WebhookRig.ERROR}) {
      DeliverWebhook deliver =
          new DeliverWebhook(
              ports,
              _ -> {
                rig.manage.redeliver(key);
                return answer;
              },
              rig.clock);

      assertEquals(Outcome.NOTHING, deliver.deliver(key));

      assertEquals(Delivery.State.WAITING, delivery().state());
      assertEquals(0, delivery().tries());
    }
  }

  @Test
  void leavesADeliveryToSweepWhileTheQueueIsAway() {
    ports.queueIsAway = true;

    assertEquals(Outcome.WAITS, deliver(WebhookRig.ERROR));

    Instant next = delivery().nextAt();
    assertNotNull(next);
    assertEquals(next.plusSeconds(RetrySchedule.GRACE_SECONDS), delivery().dueAt());
    assertEquals(1, delivery().tries());
  }

  @Test
  void changesAWebhookThoughOthersWrite() {
    ports.lateWrites = 19;
    assertEquals("new", WebhookRig.done(described("new")).description());

    ports.lateWrites = 20;
    assertThrows(PortUnavailable.class, () -> described("newer"));
    assertEquals("new", rig.webhook(webhook).description());
  }

  @Test
  void beginsADeliveryAnewThoughOthersWriteIt() {
    ports.lateUpdates = 19;
    assertInstanceOf(ManageWebhooks.Sent.Done.class, manage.redeliver(key));

    ports.lateUpdates = 20;
    assertThrows(PortUnavailable.class, () -> manage.redeliver(key));
  }

  private DeliveryKey told() {
    rig.project(rig.completed());
    return rig.log(webhook).getFirst().key();
  }

  private Outcome deliver(WebhookSender.Answer answer) {
    return new DeliverWebhook(ports, _ -> answer, rig.clock).deliver(key);
  }

  private Delivery delivery() {
    return rig.memory.webhooks().deliveries().find(key).orElseThrow();
  }

  private Webhook.Disabled disabled() {
    Webhook.Disabled off = rig.webhook(webhook).disabled();
    assertNotNull(off);
    return off;
  }

  private ManageWebhooks.Answer described(String text) {
    return manage.change(
        WebhookRig.TENANT,
        webhook.id(),
        new WebhookOrder(Optional.empty(), Optional.empty(), Optional.of(text), Optional.empty()));
  }
}
