package dev.runyard.core.submit;

import dev.runyard.core.json.JsonFields;
import dev.runyard.core.request.RunWebhook;
import dev.runyard.core.webhook.WebhookEvent;
import dev.runyard.core.webhook.WebhookOrder;
import dev.runyard.core.webhook.WebhookSecret;
import dev.runyard.core.webhook.WebhookUrl;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the webhook of a single run: `{"url", "secret", "events"?}`.
final class WebhookReader {
  static final String MEMBER = "webhook";
  private static final String URL = "url";
  private static final String SECRET = "secret";
  private static final String EVENTS = "events";

  private WebhookReader() {}

  static @Nullable RunWebhook read(JsonFields members, WebhookUrl.Places places) {
    if (!members.has(MEMBER)) {
      return null;
    }
    JsonFields webhook = members.object(MEMBER, Set.of(URL, SECRET, EVENTS));
    String url = webhook.requiredText(URL);
    if (WebhookUrl.of(url, places).isEmpty()) {
      webhook.refuse(URL, WebhookUrl.rule(places));
    }
    String secret = webhook.requiredText(SECRET);
    if (WebhookSecret.bytes(secret).isEmpty()) {
      webhook.refuse(
          SECRET,
          "secret must be %s and %d to %d random bytes in base64"
              .formatted(
                  WebhookSecret.PREFIX,
                  WebhookSecret.SECRET_BYTES_MIN,
                  WebhookSecret.SECRET_BYTES_MAX));
    }
    List<String> events =
        webhook.has(EVENTS) ? WebhookOrder.events(webhook, EVENTS) : WebhookEvent.names();
    return new RunWebhook(url, secret, events);
  }
}
