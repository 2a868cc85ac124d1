package dev.runyard.core.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The bus is told what webhooks are told, in the same way.
final class EventBusTest {
  private final WebhookRig rig = new WebhookRig();
  private final List<EventBus.Published> published = new ArrayList<>();
  private WebhookSender.Answer answer = WebhookRig.OK;

  EventBusTest() {
    rig.memory
        .webhooks()
        .setBus(
            event -> {
              published.add(event);
              return answer;
            });
  }

  @Test
  void isToldWhatAWebhookIsToldAndWhoseItIs() throws Exception {
    rig.created("run.completed");
    RunKey run = rig.completed();

    tell(run);
    tell(run);
    assertEquals(
        List.of(DeliverWebhook.Outcome.DELIVERED, DeliverWebhook.Outcome.DELIVERED), rig.drain());

    EventBus.Published event = published.getFirst();
    assertEquals(1, published.size());
    assertEquals("run.completed", event.type());
    ObjectNode detail = JsonFormat.JSON.readValue(event.detail(), ObjectNode.class);
    assertEquals(log().getFirst().key().id(), detail.remove("id").asText());
    assertEquals(WebhookRig.TENANT, detail.remove("tenant").asText());
    JsonNode sent = JsonFormat.JSON.readTree(rig.received.getFirst().body());
    assertEquals(sent, detail);
    assertEquals(sent.path("timestamp").asText(), JsonFormat.time(event.at()));
  }

  @Test
  void isToldOfEachTenantsRunsWhetherItHasWebhooksOrNot() {
    tell(rig.completed());

    assertEquals(List.of(DeliverWebhook.Outcome.DELIVERED), rig.drain());
    assertTrue(rig.received.isEmpty());
  }

  @Test
  void isToldAgainUntilItKeepsTheEvent() {
    answer = new WebhookSender.Answer.None(WebhookSender.Trouble.NOT_KEPT);
    tell(rig.completed());
    assertEquals(List.of(DeliverWebhook.Outcome.WAITS), rig.drain());
    answer = WebhookRig.OK;

    rig.pass(Duration.ofMinutes(1));

    assertEquals(2, published.size());
    assertEquals(published.getFirst(), published.getLast());
    assertEquals(Delivery.State.DELIVERED, log().getFirst().state());
    assertEquals("not_kept", log().getFirst().log().getFirst().outcome());
  }

  @Test
  void canBeToldAgainByHand() {
    tell(rig.completed());
    rig.drain();

    assertTrue(rig.manage.redeliver(log().getFirst().key()) instanceof ManageWebhooks.Sent.Done);
    assertEquals(List.of(DeliverWebhook.Outcome.DELIVERED), rig.drain());
    assertEquals(2, published.size());
  }

  @Test
  void whatWaitsIsGivenUpOnceThereIsNoBus() {
    tell(rig.completed());
    rig.memory.webhooks().setBus(null);

    assertEquals(List.of(DeliverWebhook.Outcome.FAILED), rig.drain());
    assertEquals("bus_removed", log().getFirst().log().getFirst().outcome());
  }

  @Test
  void aReaderOfARunTellsNobody() {
    rig.created("run.completed");

    assertTrue(rig.cases.projectForReader().ended(rig.completed()));
    assertEquals(List.of(), rig.drain());
  }

  private void tell(RunKey run) {
    rig.cases.projectRun(true).project(run);
  }

  private List<Delivery> log() {
    return rig.manage
        .deliveries(WebhookRig.TENANT, EventBus.ID, 10, Optional.empty())
        .orElseThrow();
  }
}
