package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.webhook.Webhook;
import dev.runyard.core.webhook.WebhookSecret;
import dev.runyard.core.webhook.Webhooks;
import dev.runyard.core.webhook.Webhooks.Registered;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [Webhooks] promises.
public abstract class WebhooksContract {
  private Webhooks webhooks;
  private String tenant = "";

  /// The store under test; it may hold webhooks of other tenants.
  protected abstract Webhooks webhooks();

  @BeforeEach
  void open() {
    webhooks = webhooks();
    tenant = SampleRuns.tenant();
  }

  @Test
  void hasNothingBeforeTheFirstWrite() {
    assertEquals(Registered.NONE, webhooks.read(tenant));
  }

  @Test
  void keepsAllOfAWebhookAndCountsVersions() {
    Webhook plain = webhook("wh_0123456789abcdef", "https://a.example/größe");
    Webhook feed =
        new Webhook(
            "wh_fedcba9876543210",
            null,
            "for people",
            List.of("run.completed", "run.lost"),
            List.of(secret(1), new WebhookSecret(secret(2).text(), SampleRuns.START)),
            SampleRuns.START,
            SampleRuns.START.plusMillis(1),
            new Webhook.Disabled(Webhook.Cause.FAILING, SampleRuns.START.plusSeconds(5)));

    assertTrue(webhooks.write(tenant, new Registered(0, List.of(plain, feed))));
    assertEquals(new Registered(1, List.of(plain, feed)), webhooks.read(tenant));
    assertTrue(webhooks.write(tenant, new Registered(1, List.of())));
    assertEquals(new Registered(2, List.of()), webhooks.read(tenant));
    assertEquals(Optional.empty(), webhooks.read(tenant).find(plain.id()));
  }

  @Test
  void refusesAWriteFromAnOlderVersion() {
    webhooks.write(tenant, new Registered(0, List.of()));

    assertFalse(webhooks.write(tenant, new Registered(0, List.of())));
    assertTrue(webhooks.write(tenant, new Registered(1, List.of())));
    assertFalse(webhooks.write(tenant, new Registered(1, List.of())));
  }

  @Test
  void letsOneOfManyWritersWin() throws Exception {
    List<Boolean> won =
        Race.run(
            i ->
                webhooks.write(
                    tenant,
                    new Registered(
                        0, List.of(webhook("wh_0123456789abcdef", "https://a.example/" + i)))));

    assertEquals(1, won.stream().filter(Boolean::booleanValue).count());
    assertEquals(
        "https://a.example/" + won.indexOf(true),
        String.valueOf(webhooks.read(tenant).webhooks().getFirst().url()));
  }

  @Test
  void keepsTenantsApart() {
    webhooks.write(
        tenant, new Registered(0, List.of(webhook("wh_0123456789abcdef", "https://a.example/"))));

    assertEquals(Registered.NONE, webhooks.read(SampleRuns.tenant()));
  }

  private static Webhook webhook(String id, String url) {
    return new Webhook(
        id, url, "", List.of("run.failed"), List.of(secret(0)), SampleRuns.START, null, null);
  }

  private static WebhookSecret secret(int first) {
    byte[] bytes = new byte[WebhookSecret.SECRET_BYTES];
    bytes[0] = (byte) first;
    return WebhookSecret.of(bytes);
  }
}
