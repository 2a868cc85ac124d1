package dev.runyard.core.webhook;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.request.RunWebhook;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Makes the deliveries that follow from the state of a run. It may see a state twice, or not see
/// one that passed: a delivery's id follows from what it tells, so it is made once.
public final class TellWebhooks {
  private final WebhookPorts ports;
  private final boolean bus;
  private final InstantSource clock;

  /// @param bus whether there is a bus, which is told everything
  public TellWebhooks(WebhookPorts ports, boolean bus, InstantSource clock) {
    this.ports = ports;
    this.bus = bus;
    this.clock = clock;
  }

  /// To be called before the state is saved as a read model, so that whatever breaks in between is
  /// found again.
  public void tell(RunState.Existing run) {
    List<Told> told = told(run);
    if (told.isEmpty()) {
      return;
    }
    RunKey key = run.facts().run();
    RunWebhook own = run.facts().request().webhook();
    List<Webhook> all = ports.registered().read(key.tenant()).webhooks();
    for (Told fact : told) {
      all.stream()
          .filter(webhook -> webhook.wants(fact.event()))
          .forEach(webhook -> make(of(fact, key, webhook.id()), webhook));
      if (own != null && own.events().contains(fact.event().wire())) {
        Delivery delivery = of(fact, key, key.runId());
        begin(delivery.to(new Delivery.Target(own.url(), own.secret())));
      }
      if (bus) {
        begin(of(fact, key, EventBus.ID));
      }
    }
  }

  private void make(Delivery delivery, Webhook webhook) {
    if (webhook.isFeed()) {
      ports.deliveries().add(delivery.held());
    } else {
      begin(delivery);
    }
  }

  /// A message that is not sent is sent by `sweep`.
  private void begin(Delivery delivery) {
    if (ports.deliveries().add(delivery)) {
      try {
        ports.queue().send(delivery.key(), 0);
      } catch (PortUnavailable _) {
        return;
      }
    }
  }

  private Delivery of(Told fact, RunKey run, String webhookId) {
    return Delivery.first(
        DeliveryKey.of(run.tenant(), webhookId, fact.at(), run.runId() + " " + fact.what()),
        fact.event(),
        run.runId(),
        fact.body(),
        clock.instant());
  }

  private static List<Told> told(RunState.Existing run) {
    return switch (run) {
      case RunState.Closed closed ->
          List.of(
              new Told(
                  WebhookEvent.end(closed), closed.finishedAt(), "end", WebhookBody.end(closed)));
      case RunState.Open open -> {
        List<Told> actions = new ArrayList<>();
        for (Action action : open.facts().interactions().pending()) {
          actions.add(
              new Told(
                  WebhookEvent.ACTION_REQUIRED,
                  action.requiredAt(),
                  action.actionId(),
                  WebhookBody.required(open, action)));
        }
        yield actions;
      }
    };
  }

  /// @param what tells it from the run's other events
  private record Told(WebhookEvent event, Instant at, String what, String body) {}
}
