package dev.runyard.core.webhook;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import java.time.Instant;
import java.util.regex.Pattern;

/// Names a delivery: its tenant, its webhook and its id. The id follows from what is told to whom,
/// so a change that is noticed twice is told once, and ids sort by the time of what they tell.
///
/// @param webhookId the run's id for the webhook of a single run, [EventBus#ID] for the bus
/// @param id the `webhook-id` of what is sent
public record DeliveryKey(String tenant, String webhookId, String id) {
  private static final Pattern WEBHOOK = Pattern.compile("wh_[A-Za-z0-9_-]{16,64}");
  private static final Pattern ID = Pattern.compile("msg_[0-9a-f]{44}");
  private static final int DIGEST_CHARACTERS = 32;

  public DeliveryKey {
    if (!isWebhook(webhookId) || !isDelivery(id)) {
      throw new IllegalArgumentException("not a delivery: " + webhookId + " " + id);
    }
  }

  /// The delivery that tells a webhook of something.
  ///
  /// @param what tells the event from all others of the tenant
  static DeliveryKey of(String tenant, String webhookId, Instant at, String what) {
    String digest = Digest.hex(tenant + " " + webhookId + " " + what);
    return new DeliveryKey(
        tenant,
        webhookId,
        "msg_%012x%s"
            .formatted(Math.max(0, at.toEpochMilli()), digest.substring(0, DIGEST_CHARACTERS)));
  }

  /// True for an id that a webhook can have.
  public static boolean isWebhook(String text) {
    return WEBHOOK.matcher(text).matches() || RunKey.isRunId(text) || text.equals(EventBus.ID);
  }

  /// True for an id that a delivery can have.
  public static boolean isDelivery(String text) {
    return ID.matcher(text).matches();
  }

  /// One line for a queue's message.
  public String text() {
    return tenant + " " + webhookId + " " + id;
  }

  /// The delivery that such a line names.
  ///
  /// @throws IllegalArgumentException when it names none
  public static DeliveryKey ofText(String text) {
    String[] parts = text.split(" ", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("not a delivery");
    }
    return new DeliveryKey(parts[0], parts[1], parts[2]);
  }
}
