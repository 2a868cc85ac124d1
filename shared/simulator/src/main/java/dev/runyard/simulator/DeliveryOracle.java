package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryWebhookPorts;
import dev.runyard.core.run.RunState;
import dev.runyard.core.webhook.Delivery;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.Webhook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Asks whether everybody who wanted to be told of a run's end was told, under one id, whatever
/// befell those who tell; and whether nobody got what was not for them.
final class DeliveryOracle {
  private final SimulatedSystem system;
  private final MemoryWebhookPorts kept;
  private final SimulatedReceiver receiver;
  private final boolean finished;
  private final Set<String> known = new HashSet<>();
  private final List<Violation> violations = new ArrayList<>();
  private long told;

  DeliveryOracle(
      SimulatedSystem system,
      MemoryWebhookPorts kept,
      SimulatedReceiver receiver,
      RightsOracle rights) {
    this.system = system;
    this.finished = rights.finishes(Right.Need.OTHERS);
    this.kept = kept;
    this.receiver = receiver;
  }

  /// What is wrong at rest.
  List<Violation> check() {
    for (RunKey run : system.log().runs()) {
      Chunk last = system.log().last(run);
      if (last.closed()) {
        ended(run, last.state().orElse(""));
      }
    }
    for (Map.Entry<String, String> one : receiver.got().entrySet()) {
      expect(known.contains(one.getKey()), "%s was sent and is nowhere", one.getKey());
    }
    violations.addAll(receiver.violations());
    gone();
    return violations;
  }

  /// Ends of runs that somebody was told.
  long told() {
    return told;
  }

  private void ended(RunKey run, String phase) {
    for (Webhook webhook : kept.registered().read(run.tenant()).webhooks()) {
      boolean wanted = webhook.events().contains("run." + phase);
      boolean gone = SimulatedReceiver.GONE_URL.equals(webhook.url());
      told(run, phase, webhook.id(), gone ? null : wanted);
    }
    told(run, phase, EventBus.ID, true);
    told(run, phase, run.runId(), hasOwn(run));
  }

  private boolean hasOwn(RunKey run) {
    Chunk first = system.log().whole(run).getFirst();
    return RunLog.behind(RunState.absent(), first) instanceof RunState.Existing begun
        && begun.facts().request().webhook() != null;
  }

  /// @param wanted null if it may have been told or not
  private void told(RunKey run, String phase, String webhook, @Nullable Boolean wanted) {
    List<Delivery> ends = new ArrayList<>();
    for (Delivery one : all(run.tenant(), webhook)) {
      known.add(one.key().id());
      finished(one, webhook);
      if (run.runId().equals(one.runId()) && one.event().startsWith("run.")) {
        ends.add(one);
      }
    }
    int count = ends.size();
    expect(
        (wanted == null || (wanted && !finished)) ? count <= 1 : count == (wanted ? 1 : 0),
        "%s has %d deliveries of the end of %s (%s)",
        webhook,
        count,
        run,
        phase);
    told += count;
    for (Delivery end : ends) {
      expect(
          end.event().equals("run." + phase), "%s was told %s of %s", webhook, end.event(), phase);
    }
  }

  private List<Delivery> all(String tenant, String webhook) {
    return kept.deliveries().list(tenant, webhook, Integer.MAX_VALUE, Optional.empty());
  }

  private void finished(Delivery one, String webhook) {
    boolean right =
        switch (one.state()) {
          case WAITING -> !finished;
          case DELIVERED -> receiver.took(one.key().id());
          case HELD -> webhook.equals(OtherSystems.FEED);
          case FAILED -> webhook.equals(OtherSystems.GONE);
        };
    expect(right, "%s is %s", one.key(), one.state());
    String got = receiver.got().get(one.key().id());
    expect(
        got == null || SimulatedReceiver.object(got).equals(SimulatedReceiver.object(one.body())),
        "%s was sent otherwise than it is kept",
        one.key());
  }

  private void gone() {
    boolean disabled =
        kept.registered().read(ClientActor.TENANT).webhooks().stream()
            .anyMatch(one -> one.id().equals(OtherSystems.GONE) && one.disabled() != null);
    expect(
        finished ? disabled == receiver.gone() : receiver.gone() || !disabled,
        "gone is %s, disabled %s",
        receiver.gone(),
        disabled);
  }

  private void expect(boolean holds, String detail, @Nullable Object... values) {
    if (!holds) {
      violations.add(new Violation("told", detail.formatted(values)));
    }
  }
}
