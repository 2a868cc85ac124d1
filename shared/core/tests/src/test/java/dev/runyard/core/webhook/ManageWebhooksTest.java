package dev.runyard.core.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.runyard.core.problem.ProblemCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ManageWebhooksTest {
  private static final String TENANT = WebhookRig.TENANT;
  private static final String UNKNOWN = "wh_" + "a".repeat(16);

  private final WebhookRig rig = new WebhookRig();
  private final ManageWebhooks manage = rig.manage;

  @Test
  void makesAWebhookOnceForTheIdThatWasDrawn() {
    String id = manage.drawnId();
    WebhookOrder order = order(Optional.of(WebhookRig.URL));

    Webhook made = WebhookRig.done(manage.create(TENANT, id, order));

    assertEquals(made, WebhookRig.done(manage.create(TENANT, id, order)));
    assertEquals(List.of(made), manage.all(TENANT));
  }

  @Test
  void showsATenantItsWebhooksTheOldestFirst() {
    Webhook first = rig.created("run.failed");
    Webhook second = rig.created("run.lost");

    assertEquals(List.of(first, second), manage.all(TENANT));
    assertEquals(List.of(), manage.all("other"));
    assertEquals(Optional.empty(), manage.find("other", first.id()));
  }

  @Test
  void changesWhatIsGivenAndLeavesTheRest() {
    Webhook before = rig.created("run.failed");

    Webhook described = changed(before, described("for people"));
    assertEquals(before.with(before.url(), "for people", before.events()), described);
    Webhook moved =
        changed(
            before,
            new WebhookOrder(
                Optional.of("https://other.example.com/"),
                Optional.of(List.of("run.lost")),
                Optional.empty(),
                Optional.empty()));

    assertEquals(
        before.with("https://other.example.com/", "for people", List.of("run.lost")), moved);
    assertEquals(moved, rig.webhook(before));
  }

  @Test
  void disablesAndEnablesAWebhook() {
    Webhook webhook = rig.created("run.failed");
    Webhook.Disabled requested = new Webhook.Disabled(Webhook.Cause.REQUESTED, rig.clock.instant());

    assertEquals(requested, changed(webhook, enabled(false)).disabled());
    rig.clock.advance(Duration.ofHours(1));
    assertEquals(requested, changed(webhook, enabled(false)).disabled(), "since the first time");
    assertEquals(requested, changed(webhook, described("d")).disabled());
    assertNull(changed(webhook, enabled(true)).disabled());
  }

  @Test
  void keepsWhyAWebhookWasDisabledUntilItIsEnabled() {
    Webhook webhook = rig.created("run.completed");
    rig.usual = WebhookRig.status(410);
    rig.project(rig.completed());
    rig.drain();

    Webhook off = changed(webhook, enabled(false));
    assertNotNull(off.disabled());
    assertEquals(Webhook.Cause.GONE, off.disabled().cause());
    assertNotNull(off.failingSince());

    assertEquals(webhook, changed(webhook, enabled(true)), "as if nothing had failed");
  }

  @Test
  void deletesAWebhookOnce() {
    Webhook webhook = rig.created("run.failed");
    Webhook other = rig.created("run.failed");

    assertEquals(webhook, WebhookRig.done(manage.delete(TENANT, webhook.id())));

    assertEquals(List.of(other), manage.all(TENANT));
    assertRefused(ProblemCode.WEBHOOK_NOT_FOUND, manage.delete(TENANT, webhook.id()));
  }

  @Test
  void findsNoWebhookThatWasNeverMade() {
    assertRefused(ProblemCode.WEBHOOK_NOT_FOUND, manage.change(TENANT, UNKNOWN, described("d")));
    assertRefused(
        ProblemCode.WEBHOOK_NOT_FOUND, manage.rotate(TENANT, UNKNOWN, Duration.ofHours(1)));
    assertRefused(ProblemCode.WEBHOOK_NOT_FOUND, manage.ping(TENANT, UNKNOWN));
    assertEquals(Optional.empty(), manage.deliveries(TENANT, UNKNOWN, 10, Optional.empty()));
  }

  @Test
  void pingsOnlyAWebhookThatIsSentSomething() {
    Webhook webhook = rig.created("run.failed");
    ManageWebhooks.Sent.Done done =
        assertInstanceOf(ManageWebhooks.Sent.Done.class, manage.ping(TENANT, webhook.id()));
    assertEquals("webhook.ping", done.delivery().event());
    assertEquals(Delivery.State.WAITING, done.delivery().state());
    assertEquals(done.delivery().key(), rig.log(webhook).getFirst().key());

    changed(webhook, enabled(false));

    assertRefused(ProblemCode.WEBHOOK_DISABLED, manage.ping(TENANT, webhook.id()));
    assertEquals(1, rig.log(webhook).size());
  }

  @Test
  void holdsThePingOfAFeed() {
    Webhook feed = feed();

    ManageWebhooks.Sent.Done done =
        assertInstanceOf(ManageWebhooks.Sent.Done.class, manage.ping(TENANT, feed.id()));

    assertEquals(Delivery.State.HELD, done.delivery().state());
    assertEquals(List.of(), rig.drain());
    assertEquals(Delivery.State.HELD, rig.log(feed).getFirst().state());
  }

  @Test
  void showsTheLogOfAWebhookPageByPage() {
    Webhook webhook = rig.created("run.completed");
    assertEquals(
        Optional.of(List.of()), manage.deliveries(TENANT, webhook.id(), 10, Optional.empty()));
    rig.project(rig.completed());
    String id = rig.log(webhook).getFirst().key().id();

    assertEquals(
        Optional.of(List.of()), manage.deliveries(TENANT, webhook.id(), 10, Optional.of(id)));
    manage.delete(TENANT, webhook.id());
    assertEquals(
        Optional.of(rig.log(webhook)),
        manage.deliveries(TENANT, webhook.id(), 10, Optional.empty()));
    assertEquals(
        Optional.of(List.of()),
        manage.deliveries(TENANT, webhook.id(), 10, Optional.of(id)),
        "the end of the log that a deleted webhook has");
  }

  @Test
  void sendsAgainWhatWasDelivered() {
    Webhook webhook = rig.created("run.completed");
    rig.project(rig.completed());
    rig.drain();
    DeliveryKey key = rig.log(webhook).getFirst().key();

    ManageWebhooks.Sent.Done done =
        assertInstanceOf(ManageWebhooks.Sent.Done.class, manage.redeliver(key));

    assertEquals(Delivery.State.WAITING, done.delivery().state());
    assertEquals(List.of(DeliverWebhook.Outcome.DELIVERED), rig.drain());
    assertEquals(2, rig.received.size());
  }

  @Test
  void sendsNothingAgainToNobody() {
    Webhook webhook = rig.created("run.completed");
    rig.project(rig.completed());
    rig.drain();
    DeliveryKey key = rig.log(webhook).getFirst().key();
    DeliveryKey other = DeliveryKey.of(TENANT, webhook.id(), rig.clock.instant(), "nothing");

    assertRefused(ProblemCode.DELIVERY_NOT_FOUND, manage.redeliver(other));
    changed(webhook, enabled(false));
    assertRefused(ProblemCode.WEBHOOK_DISABLED, manage.redeliver(key));
    manage.delete(TENANT, webhook.id());
    assertRefused(ProblemCode.WEBHOOK_NOT_FOUND, manage.redeliver(key));
    assertEquals(Delivery.State.DELIVERED, rig.log(webhook).getFirst().state());
  }

  @Test
  void leavesWhatAFeedHoldsAsItIs() {
    Webhook feed = feed();
    rig.project(rig.completed());
    Delivery held = rig.log(feed).getFirst();

    assertEquals(new ManageWebhooks.Sent.Done(held), manage.redeliver(held.key()));

    assertEquals(held, rig.log(feed).getFirst());
    assertEquals(List.of(), rig.drain());
  }

  private Webhook feed() {
    return WebhookRig.done(manage.create(TENANT, order(Optional.empty())));
  }

  private Webhook changed(Webhook webhook, WebhookOrder order) {
    return WebhookRig.done(manage.change(TENANT, webhook.id(), order));
  }

  private static WebhookOrder order(Optional<String> url) {
    return new WebhookOrder(
        url, Optional.of(List.of("run.completed")), Optional.empty(), Optional.empty());
  }

  private static WebhookOrder described(String text) {
    return new WebhookOrder(
        Optional.empty(), Optional.empty(), Optional.of(text), Optional.empty());
  }

  private static WebhookOrder enabled(boolean enabled) {
    return new WebhookOrder(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(enabled));
  }

  private static void assertRefused(ProblemCode code, ManageWebhooks.Answer answer) {
    assertEquals(
        code, assertInstanceOf(ManageWebhooks.Answer.Refused.class, answer).problem().code());
  }

  private static void assertRefused(ProblemCode code, ManageWebhooks.Sent sent) {
    assertEquals(code, assertInstanceOf(ManageWebhooks.Sent.Refused.class, sent).problem().code());
  }
}
