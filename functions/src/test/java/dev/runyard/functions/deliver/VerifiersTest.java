package dev.runyard.functions.deliver;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.runyard.core.webhook.WebhookSecret;
import dev.runyard.core.webhook.WebhookSignature;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What we sign, as the public verifier for Java sees it.
final class VerifiersTest {
  private static final String BODY = "{\"type\":\"run.completed\",\"data\":{\"größe\":\"👋\"}}";

  private final String secret = secret();
  private final Instant now = InstantSource.system().instant();
  private final Map<String, String> signed =
      WebhookSignature.headers("msg_1", now, bytes(BODY), List.of(secret));

  @Test
  void acceptsWhatWasSent() throws Exception {
    Webhook verifier = new Webhook(secret);
    assertDoesNotThrow(() -> verifier.verify(BODY, headers(signed)));
  }

  @Test
  void agreesOnTheSignature() throws Exception {
    assertEquals(
        new Webhook(secret).sign("msg_1", now.getEpochSecond(), BODY),
        signed.get("webhook-signature"));
  }

  @Test
  void refusesAChangedByte() throws Exception {
    Webhook verifier = new Webhook(secret);
    byte[] body = bytes(BODY);
    for (int i = 0; i < body.length; i++) {
      if (body[i] > 0) {
        byte[] changed = body.clone();
        changed[i] ^= 1;
        String text = new String(changed, StandardCharsets.UTF_8);
        assertThrows(
            WebhookVerificationException.class, () -> verifier.verify(text, headers(signed)));
      }
    }
    for (String header : List.of("webhook-id", "webhook-timestamp", "webhook-signature")) {
      Map<String, String> changed = new HashMap<>(signed);
      changed.compute(header, (_, value) -> flipped(String.valueOf(value)));
      assertThrows(
          WebhookVerificationException.class,
          () -> verifier.verify(BODY, headers(changed)),
          header);
    }
  }

  @Test
  void acceptsEitherSecretWhileOneIsRotated() throws Exception {
    String next = secret();
    Map<String, String> both =
        WebhookSignature.headers("msg_1", now, bytes(BODY), List.of(next, secret));
    assertDoesNotThrow(() -> new Webhook(secret).verify(BODY, headers(both)));
    assertDoesNotThrow(() -> new Webhook(next).verify(BODY, headers(both)));
    Webhook other = new Webhook(secret());
    assertThrows(WebhookVerificationException.class, () -> other.verify(BODY, headers(both)));
  }

  private static String flipped(String value) {
    char last = value.charAt(value.length() - 3);
    return value.substring(0, value.length() - 3)
        + (last == '1' ? '2' : '1')
        + value.substring(value.length() - 2);
  }

  private static Map<String, List<String>> headers(Map<String, String> all) {
    return all.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue())));
  }

  private static String secret() {
    byte[] bytes = new byte[WebhookSecret.SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return WebhookSecret.of(bytes).text();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
