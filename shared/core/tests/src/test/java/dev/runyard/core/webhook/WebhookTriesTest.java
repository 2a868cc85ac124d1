package dev.runyard.core.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.webhook.DeliverWebhook.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When a delivery is tried, and what is noted of a try.
final class WebhookTriesTest {
  private final WebhookRig rig = new WebhookRig();
  private final Webhook webhook = rig.created("run.completed");

  @Test
  void sendsNothingBeforeItIsDue() {
    rig.answers.add(asking(Duration.ofMinutes(10)));
    rig.project(rig.completed());
    rig.drain();
    Instant due = rig.clock.instant().plus(Duration.ofMinutes(10));
    Instant earliest = due.minusSeconds(Limits.CLOCK_SKEW_SECONDS_MAX);

    rig.clock.set(earliest.minusMillis(1));
    assertEquals(Outcome.NOTHING, rig.deliver.deliver(logged().key()));
    assertEquals(1, rig.received.size());

    rig.clock.set(earliest);
    assertEquals(Outcome.DELIVERED, rig.deliver.deliver(logged().key()));
    assertEquals(2, rig.received.size());
  }

  @Test
  void sendsNothingAgainThatWasDelivered() {
    rig.project(rig.completed());
    rig.drain();

    assertEquals(Outcome.NOTHING, rig.deliver.deliver(logged().key()));
    assertEquals(1, rig.received.size());
  }

  /// `sweep` looks for a message after some time where the queue has one, else at once.
  @ParameterizedTest
  @CsvSource({"900,60", "901,0"})
  void isDueForSweepWhenTheQueueCannotKeepItBack(int pauseSeconds, int graceSeconds) {
    rig.answers.add(asking(Duration.ofSeconds(pauseSeconds)));
    rig.project(rig.completed());

    assertEquals(List.of(Outcome.WAITS), rig.drain());

    Instant next = rig.clock.instant().plusSeconds(pauseSeconds);
    assertEquals(next, logged().nextAt());
    assertEquals(next.plusSeconds(graceSeconds), logged().dueAt());
  }

  @ParameterizedTest
  @CsvSource({"200,delivered", "204,delivered", "299,delivered", "300,refused", "500,refused"})
  void notesWhatTheReceiverAnswered(int status, String outcome) {
    rig.answers.add(WebhookRig.status(status));
    rig.project(rig.completed());
    rig.drain();

    Delivery.Try noted = logged().log().getFirst();

    assertEquals(new Delivery.Try(rig.clock.instant(), status, outcome, 0), noted);
  }

  @Test
  void notesWhyThereWasNoAnswer() {
    rig.answers.add(new WebhookSender.Answer.None(WebhookSender.Trouble.NAME_UNKNOWN));
    rig.project(rig.completed());
    rig.drain();

    assertEquals("name_unknown", logged().log().getFirst().outcome());
    assertNull(logged().log().getFirst().status());
  }

  @Test
  void givesUpWhatADisabledWebhookWasToBeTold() {
    rig.project(rig.completed());
    rig.manage.change(
        WebhookRig.TENANT,
        webhook.id(),
        new WebhookOrder(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(false)));

    assertEquals(List.of(Outcome.FAILED), rig.drain());

    assertEquals(List.of(), rig.received);
    assertEquals(Delivery.State.FAILED, logged().state());
    assertEquals("webhook_disabled", logged().log().getFirst().outcome());
  }

  private Delivery logged() {
    return rig.log(webhook).getFirst();
  }

  private static WebhookSender.Answer asking(Duration pause) {
    return new WebhookSender.Answer.Status(503, Optional.of(pause));
  }
}
