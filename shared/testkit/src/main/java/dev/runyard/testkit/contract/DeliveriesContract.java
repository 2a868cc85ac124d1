package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.Delivery;
import dev.runyard.core.webhook.DeliveryKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [Deliveries] promises.
public abstract class DeliveriesContract {
  private static final String WEBHOOK = "wh_0123456789abcdef";
  private static final Instant NOW = SampleRuns.START;
  private Deliveries deliveries;
  private String tenant = "";

  /// The store under test; it may hold deliveries of other tenants.
  protected abstract Deliveries deliveries();

  @BeforeEach
  void open() {
    deliveries = deliveries();
    tenant = SampleRuns.tenant();
  }

  @Test
  void keepsAllOfADelivery() {
    Delivery whole =
        new Delivery(
            key(1),
            "run.completed",
            SampleRuns.run(tenant).runId(),
            "{\"größe\":\"👋\"}",
            NOW,
            new Delivery.Target("https://a.example/", "whsec_x"),
            Delivery.State.WAITING,
            2,
            NOW.plusSeconds(5),
            NOW.plusSeconds(65),
            List.of(
                new Delivery.Try(NOW, 500, "refused", 12),
                new Delivery.Try(NOW.plusMillis(1), null, "timed_out", 15_000)),
            0);

    assertTrue(deliveries.add(whole));
    assertEquals(Optional.of(whole.stored()), deliveries.find(whole.key()));
    assertEquals(Optional.empty(), deliveries.find(key(2)));
  }

  @Test
  void addsADeliveryOnce() throws Exception {
    List<Boolean> added = Race.run(_ -> deliveries.add(delivery(key(1), NOW)));

    assertEquals(1, added.stream().filter(Boolean::booleanValue).count());
    deliveries.update(version(delivery(key(1), null), 1));
    assertFalse(deliveries.add(delivery(key(1), NOW)));
    assertEquals(2, deliveries.find(key(1)).orElseThrow().version());
  }

  @Test
  void refusesAnUpdateOfAnOlderVersion() throws Exception {
    assertFalse(deliveries.update(delivery(key(1), NOW)), "it is not there");
    deliveries.add(delivery(key(1), NOW));

    List<Boolean> won = Race.run(_ -> deliveries.update(version(delivery(key(1), NOW), 1)));

    assertEquals(1, won.stream().filter(Boolean::booleanValue).count());
    assertFalse(deliveries.update(version(delivery(key(1), NOW), 1)));
    assertTrue(deliveries.update(version(delivery(key(1), NOW), 2)));
  }

  @Test
  void listsThoseOfAWebhookNewestFirstInPages() {
    String other = "wh_0123456789abcdeg";
    for (int i = 1; i <= 7; i++) {
      deliveries.add(delivery(key(i), NOW));
      deliveries.add(delivery(new DeliveryKey(tenant, other, key(100 + i).id()), NOW));
    }
    List<String> seen = new ArrayList<>();
    Optional<String> after = Optional.empty();
    for (List<Delivery> page = deliveries.list(tenant, WEBHOOK, 3, after);
        !page.isEmpty();
        page = deliveries.list(tenant, WEBHOOK, 3, after)) {
      page.forEach(delivery -> seen.add(delivery.key().id()));
      after = Optional.of(seen.getLast());
    }

    assertEquals(IntStream.rangeClosed(1, 7).mapToObj(i -> key(8 - i).id()).toList(), seen);
    assertEquals(List.of(), deliveries.list(SampleRuns.tenant(), WEBHOOK, 3, Optional.empty()));
  }

  @Test
  void findsWhatIsDueUntilNothingWaits() {
    DeliveryKey early = key(1);
    DeliveryKey late = key(2);
    DeliveryKey held = key(3);
    deliveries.add(delivery(late, NOW.plusSeconds(9)));
    deliveries.add(delivery(early, NOW.plusSeconds(3)));
    deliveries.add(delivery(held, null));

    assertEquals(List.of(), due(NOW.plusSeconds(2)));
    assertEquals(List.of(early), due(NOW.plusSeconds(3)));
    assertEquals(List.of(early, late), due(NOW.plusSeconds(60)));
    deliveries.update(version(delivery(early, null), 1));
    assertEquals(List.of(late), due(NOW.plusSeconds(60)));
    deliveries.update(version(delivery(late, NOW.plusSeconds(99)), 1));
    assertEquals(List.of(), due(NOW.plusSeconds(60)));
  }

  @Test
  void findsTheEarliestOfAShardFirst() {
    List<DeliveryKey> shard =
        IntStream.range(0, 100)
            .mapToObj(this::key)
            .filter(key -> Deliveries.shardOf(key) == 1)
            .limit(3)
            .toList();
    for (int i = 0; i < shard.size(); i++) {
      deliveries.add(delivery(shard.get(i), Instant.EPOCH.plusSeconds(10 - i)));
    }
    List<DeliveryKey> found =
        deliveries.due(1, Instant.EPOCH.plusSeconds(10), 1_000).stream()
            .filter(key -> key.tenant().equals(tenant))
            .toList();
    assertEquals(shard.reversed(), found);
    assertEquals(1, deliveries.due(1, Instant.EPOCH.plusSeconds(10), 1).size());
  }

  /// Of this tenant; those of one shard are in order.
  private List<DeliveryKey> due(Instant now) {
    List<DeliveryKey> found = new ArrayList<>();
    for (int shard = 0; shard < Deliveries.DUE_SHARDS; shard++) {
      deliveries.due(shard, now, 1_000).stream()
          .filter(key -> key.tenant().equals(tenant))
          .forEach(found::add);
    }
    found.sort(Comparator.comparing(DeliveryKey::id));
    return found;
  }

  private DeliveryKey key(int i) {
    return new DeliveryKey(tenant, WEBHOOK, "msg_%044x".formatted(i));
  }

  private static Delivery delivery(DeliveryKey key, @Nullable Instant due) {
    return new Delivery(
        key,
        "run.failed",
        null,
        "{}",
        NOW,
        null,
        Delivery.State.WAITING,
        0,
        NOW,
        due,
        List.of(),
        0);
  }

  private static Delivery version(Delivery delivery, long version) {
    return new Delivery(
        delivery.key(),
        delivery.event(),
        delivery.runId(),
        delivery.body(),
        delivery.createdAt(),
        delivery.target(),
        delivery.state(),
        delivery.tries(),
        delivery.nextAt(),
        delivery.dueAt(),
        delivery.log(),
        version);
  }
}
