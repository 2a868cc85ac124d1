package dev.runyard.simulator;

import dev.runyard.core.memory.MemoryWebhookPorts;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.RunWebhook;
import dev.runyard.core.webhook.Delivery;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.Webhook;
import dev.runyard.core.webhook.WebhookEvent;
import dev.runyard.core.webhook.WebhookPorts;
import dev.runyard.core.webhook.WebhookSecret;
import dev.runyard.core.webhook.Webhooks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Other systems, where a history has any: those that are told of runs, one that starts runs by a
/// hook, and those that show keys.
final class OtherSystems {
  static final String FEED = "wh_feed000000000000";
  static final String GONE = "wh_gone000000000000";
  private static final String ALL = "wh_all0000000000000";
  private static final String FAILURES = "wh_failures00000000";
  private static final int DELIVERIES_MAX = 6;
  private static final List<String> FAILED = List.of("run.failed", "run.timed_out", "run.lost");
  private static final WebhookSecret SECRET =
      WebhookSecret.of(new byte[WebhookSecret.SECRET_BYTES]);
  private static final RunWebhook OWN =
      new RunWebhook("https://own.example.com/hook", SECRET.text(), WebhookEvent.names());

  private final SimulatedSystem system;
  private final Random random;
  private final MemoryWebhookPorts kept;
  private final SimulatedDeliveryQueue messages;
  private final SimulatedReceiver receiver;
  private final KeyRing ring = new KeyRing();
  private final List<HookTraffic> traffic = new ArrayList<>();
  private long told;

  OtherSystems(SimulatedSystem system, Random random) {
    this.system = system;
    this.random = random;
    this.kept = new MemoryWebhookPorts(system.clock());
    this.messages = new SimulatedDeliveryQueue(system, random);
    this.receiver = new SimulatedReceiver(system, random);
  }

  /// Has those begin that are told.
  void listen() {
    Stream.of(ClientActor.TENANT, HookTraffic.TENANT).forEach(this::register);
    for (int i = 0; i < StreamActor.COPIES; i++) {
      system.timeline().add(new DeliverActor(system, messages, receiver, random));
    }
  }

  /// Has those begin that call.
  void call() {
    HookTraffic hooks = traffic(2 + random.nextInt(DELIVERIES_MAX - 1));
    for (int i = 0; i < StreamActor.COPIES; i++) {
      system.timeline().add(new HookSenderActor(system, hooks, random));
      system.timeline().add(new KeyHolderActor(system, ring, random));
    }
    system.timeline().add(new KeyOwnerActor(system, ring, random));
  }

  /// A system that has so many deliveries for a hook.
  HookTraffic traffic(int deliveries) {
    HookTraffic hooks = new HookTraffic(system, deliveries);
    traffic.add(hooks);
    return hooks;
  }

  private void register(String tenant) {
    List<Webhook> all = new ArrayList<>();
    all.add(webhook(ALL, "https://all.example.com/hook", WebhookEvent.names()));
    all.add(webhook(FAILURES, "https://failures.example.com/hook", FAILED));
    all.add(webhook(FEED, null, WebhookEvent.names()));
    if (tenant.equals(ClientActor.TENANT)) {
      all.add(webhook(GONE, SimulatedReceiver.GONE_URL, WebhookEvent.names()));
    }
    kept.registered().write(tenant, new Webhooks.Registered(0, all));
  }

  private static Webhook webhook(String id, @Nullable String url, List<String> events) {
    return new Webhook(id, url, "", events, List.of(SECRET), SimulatedSystem.BEGIN, null, null);
  }

  /// The ports of webhooks. Where nobody is told, they are always reached, so that such a history
  /// has no calls of theirs.
  WebhookPorts ports() {
    return system.setting().integrated() ? new ToldPorts(kept, messages, receiver) : kept;
  }

  /// Some requests tell somebody of their own.
  RunRequest telling(RunRequest request) {
    return system.setting().integrated() && Math.floorMod(request.prompt().hashCode(), 2) == 0
        ? request.telling(OWN)
        : request;
  }

  /// Nothing is under way any more.
  boolean settled() {
    return traffic.stream().allMatch(HookTraffic::done)
        && Stream.of(ClientActor.TENANT, HookTraffic.TENANT).noneMatch(this::waits);
  }

  private boolean waits(String tenant) {
    return Stream.concat(
            Stream.of(ALL, FAILURES, GONE, EventBus.ID),
            system.log().runs().stream().map(run -> run.runId()))
        .flatMap(
            id -> kept.deliveries().list(tenant, id, Integer.MAX_VALUE, Optional.empty()).stream())
        .anyMatch(one -> one.state() == Delivery.State.WAITING);
  }

  /// What is wrong at rest.
  List<Violation> check(RightsOracle rights) {
    List<Violation> all = new ArrayList<>(ring.violations());
    if (system.setting().integrated()) {
      DeliveryOracle deliveries = new DeliveryOracle(system, kept, receiver, rights);
      all.addAll(deliveries.check());
      told = deliveries.told();
    }
    traffic.forEach(one -> all.addAll(one.check()));
    return all;
  }

  /// What happened between this system and others.
  ///
  /// @param told ends of runs that somebody was told
  /// @param repeated deliveries that came again
  /// @param started repeats of deliveries to the hook
  /// @param refused deliveries to the hook that were to come again
  /// @param opened times that a key opened
  /// @param shut times that a revoked key opened nothing
  record Tally(
      long told,
      long repeated,
      long duplicates,
      long started,
      long refused,
      long opened,
      long shut) {
    static final Tally NONE = new Tally(0, 0, 0, 0, 0, 0, 0);

    Tally plus(Tally other) {
      return new Tally(
          told + other.told,
          repeated + other.repeated,
          duplicates + other.duplicates,
          started + other.started,
          refused + other.refused,
          opened + other.opened,
          shut + other.shut);
    }
  }

  Tally tally() {
    return new Tally(
        told,
        receiver.repeated(),
        messages.duplicates(),
        traffic.stream().mapToLong(HookTraffic::repeated).sum(),
        traffic.stream().mapToLong(HookTraffic::refused).sum(),
        ring.opened(),
        ring.shut());
  }
}
