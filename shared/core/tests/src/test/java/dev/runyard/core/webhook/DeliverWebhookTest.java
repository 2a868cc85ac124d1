package dev.runyard.core.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.request.RunWebhook;
import dev.runyard.core.run.RunCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class DeliverWebhookTest {
  private final WebhookRig rig = new WebhookRig();

  @Test
  void tellsOfAnEndOnce() throws Exception {
    Webhook webhook = rig.created("run.completed");
    RunKey run = rig.completed();

    rig.project(run);
    rig.project(run);
    assertEquals(List.of(DeliverWebhook.Outcome.DELIVERED), rig.drain());

    WebhookSender.Outgoing sent = rig.received.getFirst();
    JsonNode body = JsonFormat.JSON.readTree(sent.body());
    assertEquals(WebhookRig.URL, sent.url());
    assertEquals("run.completed", body.path("type").asText());
    assertEquals(run.runId(), body.path("data").path("run_id").asText());
    assertEquals("/v1/runs/" + run.runId(), body.path("data").path("path").asText());
    assertEquals("completed", body.path("data").path("status").asText());
    Delivery logged = rig.log(webhook).getFirst();
    assertEquals(Delivery.State.DELIVERED, logged.state());
    assertEquals(200, logged.log().getFirst().status());
    assertNull(logged.dueAt());
    rig.pass(Duration.ofDays(4));
    assertEquals(1, rig.received.size());
  }

  @Test
  void tellsNobodyWhoDoesNotWantIt() {
    Webhook failures = rig.created("run.failed", "run.lost", "run.timed_out");
    RunKey run = rig.completed();

    rig.project(run);

    assertEquals(List.of(), rig.drain());
    assertEquals(List.of(), rig.log(failures));
  }

  @Test
  void tellsOfAnActionWhileItIsPendingAndShowsNoneOfItsText() {
    rig.created("action.required");
    RunKey run = rig.asking();

    rig.project(run);
    rig.drain();

    WebhookSender.Outgoing sent = rig.received.getFirst();
    assertTrue(sent.body().contains("\"action_id\""), sent::body);
    assertFalse(sent.body().contains("secret question"), sent::body);
    rig.cases
        .runs()
        .execute(
            run,
            new RunCommand.Resolve(
                ActionId.of(run, 1), ActionDecision.ANSWER, null, "me", rig.clock.instant()));
    rig.project(run);
    assertEquals(List.of(), rig.drain());
  }

  @Test
  void triesAsOftenAsTheStandardSaysAndKeepsTheId() {
    Webhook webhook = rig.created("run.completed");
    rig.usual = WebhookRig.ERROR;
    Instant begin = rig.clock.instant();
    rig.project(rig.completed());

    rig.pass(Duration.ofDays(4));

    Delivery logged = rig.log(webhook).getFirst();
    assertEquals(RetrySchedule.TRIES_MAX, rig.received.size());
    assertEquals(Delivery.State.FAILED, logged.state());
    assertEquals(
        Set.of(logged.key().id()),
        rig.received.stream().map(WebhookRig::id).collect(Collectors.toSet()));
    Duration whole = Duration.between(begin, logged.log().getLast().at());
    assertTrue(whole.toHours() > 65 && whole.toHours() < 90, whole::toString);
    assertNotNull(rig.webhook(webhook).failingSince());
    assertNull(rig.webhook(webhook).disabled());
  }

  @Test
  void deliversAfterADayOfErrors() {
    Webhook webhook = rig.created("run.completed");
    rig.usual = WebhookRig.ERROR;
    rig.project(rig.completed());
    rig.pass(Duration.ofDays(1));
    rig.usual = WebhookRig.OK;

    rig.pass(Duration.ofDays(1));

    assertEquals(Delivery.State.DELIVERED, rig.log(webhook).getFirst().state());
    assertNull(rig.webhook(webhook).failingSince());
  }

  @Test
  void waitsAsLongAsTheReceiverAsksButNotForEver() {
    Webhook webhook = rig.created("run.completed");
    rig.answers.add(new WebhookSender.Answer.Status(429, Optional.of(Duration.ofHours(3))));
    rig.project(rig.completed());
    rig.drain();
    Instant next = rig.log(webhook).getFirst().nextAt();
    assertEquals(rig.clock.instant().plus(Duration.ofHours(3)), next);

    rig.answers.add(new WebhookSender.Answer.Status(503, Optional.of(Duration.ofDays(400))));
    rig.pass(Duration.ofHours(4));
    Instant later = rig.log(webhook).getFirst().nextAt();
    assertNotNull(later);
    assertFalse(
        later.isAfter(rig.clock.instant().plusSeconds(RetrySchedule.RETRY_AFTER_SECONDS_MAX)));
  }

  @Test
  void sendsNothingMoreToWhoIsGone() {
    Webhook webhook = rig.created("run.completed");
    rig.usual = WebhookRig.status(410);
    rig.project(rig.completed());

    assertEquals(List.of(DeliverWebhook.Outcome.DISABLED), rig.drain());

    Webhook.Disabled off = rig.webhook(webhook).disabled();
    assertNotNull(off);
    assertEquals(Webhook.Cause.GONE, off.cause());
    rig.project(rig.completed());
    rig.pass(Duration.ofHours(2));
    assertEquals(1, rig.received.size());
  }

  @Test
  void disablesAWebhookAfterDaysOfFailuresAndEnablesItAgain() {
    Webhook webhook = rig.created("run.completed");
    rig.usual = WebhookRig.ERROR;
    for (int day = 0; day < 6; day++) {
      rig.project(rig.completed());
      rig.pass(Duration.ofDays(1));
    }
    Webhook.Disabled off = rig.webhook(webhook).disabled();
    assertNotNull(off);
    assertEquals(Webhook.Cause.FAILING, off.cause());
    Delivery failed = rig.log(webhook).getFirst();
    assertTrue(rig.manage.redeliver(failed.key()) instanceof ManageWebhooks.Sent.Refused);

    rig.usual = WebhookRig.OK;
    rig.manage.change(
        WebhookRig.TENANT,
        webhook.id(),
        new WebhookOrder(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(true)));
    rig.manage.redeliver(failed.key());
    rig.drain();

    assertEquals(Delivery.State.DELIVERED, rig.log(webhook).getFirst().state());
    assertEquals(WebhookRig.id(rig.received.getLast()), failed.key().id());
  }

  @Test
  void signsWithBothSecretsForAWhile() {
    Webhook webhook = rig.created("run.completed");
    Webhook rotated =
        WebhookRig.done(rig.manage.rotate(WebhookRig.TENANT, webhook.id(), Duration.ofHours(1)));
    assertEquals(2, rotated.secrets().size());
    rig.project(rig.completed());
    rig.drain();
    assertEquals(2, signatures().length);

    rig.clock.advance(Duration.ofHours(1));
    rig.project(rig.completed());
    rig.drain();
    assertEquals(1, signatures().length);
  }

  @Test
  void keepsNoMoreSecretsThanCount() {
    Webhook webhook = rig.created("run.completed");
    for (int i = 0; i < 10; i++) {
      rig.manage.rotate(WebhookRig.TENANT, webhook.id(), Duration.ofDays(7));
    }
    assertEquals(Webhook.SECRETS_MAX, rig.webhook(webhook).secrets().size());
  }

  @Test
  void forgetsTheSecretBeforeAtOnceIfItIsToldSo() {
    Webhook webhook = rig.created("run.completed");

    Webhook rotated =
        WebhookRig.done(rig.manage.rotate(WebhookRig.TENANT, webhook.id(), Duration.ZERO));

    assertEquals(1, rotated.secrets().size());
    assertNotEquals(webhook.secrets(), rotated.secrets());
  }

  @Test
  void tellsTheWebhookOfARunAlone() {
    RunWebhook own =
        new RunWebhook(
            "https://other.example.com/", WebhookRig.SECRET.text(), List.of("run.completed"));
    RunKey run = rig.completed(own);
    rig.project(rig.completed());
    rig.project(run);

    assertEquals(List.of(DeliverWebhook.Outcome.DELIVERED), rig.drain());

    assertEquals(
        List.of(own.url()), rig.received.stream().map(WebhookSender.Outgoing::url).toList());
    List<Delivery> log =
        rig.manage.deliveries(WebhookRig.TENANT, run.runId(), 10, Optional.empty()).orElseThrow();
    assertEquals(Delivery.State.DELIVERED, log.getFirst().state());
    assertFalse(WebhookJson.of(log.getFirst()).toString().contains(own.secret()));
  }

  @Test
  void holdsWhatAFeedIsToldOf() {
    Webhook feed =
        WebhookRig.done(
            rig.manage.create(
                WebhookRig.TENANT,
                new WebhookOrder(
                    Optional.empty(),
                    Optional.of(List.of("run.completed")),
                    Optional.empty(),
                    Optional.empty())));
    rig.project(rig.completed());

    assertEquals(List.of(), rig.drain());
    assertEquals(Delivery.State.HELD, rig.log(feed).getFirst().state());
  }

  @Test
  void givesUpWhatADeletedWebhookWasToBeTold() {
    Webhook webhook = rig.created("run.completed");
    rig.project(rig.completed());
    rig.manage.delete(WebhookRig.TENANT, webhook.id());

    assertEquals(List.of(DeliverWebhook.Outcome.FAILED), rig.drain());
    assertEquals(List.of(), rig.received);
    assertEquals("webhook_deleted", rig.log(webhook).getFirst().log().getFirst().outcome());
  }

  @Test
  void pingsWhateverTheWebhookWants() {
    Webhook webhook = rig.created("run.lost");
    rig.manage.ping(WebhookRig.TENANT, webhook.id());
    rig.manage.ping(WebhookRig.TENANT, webhook.id());

    rig.drain();

    assertEquals(2, rig.received.size());
    assertTrue(rig.received.getFirst().body().contains("webhook.ping"));
  }

  @Test
  void keepsATenantToItsNumber() {
    for (int i = 0; i < ManageWebhooks.WEBHOOKS_MAX; i++) {
      rig.created("run.failed");
    }
    assertTrue(
        rig.manage.create(
                WebhookRig.TENANT,
                new WebhookOrder(
                    Optional.of(WebhookRig.URL),
                    Optional.of(List.of("run.failed")),
                    Optional.empty(),
                    Optional.empty()))
            instanceof ManageWebhooks.Answer.Refused);
  }

  private String[] signatures() {
    return String.valueOf(rig.received.getLast().headers().get("webhook-signature")).split(" ", -1);
  }
}
