package dev.runyard.core.webhook;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The webhooks of each tenant. Of concurrent writers one wins; the others read again.
public interface Webhooks {
  /// All of a tenant's, which includes every acknowledged write; none, with version 0, before the
  /// first.
  Registered read(String tenant);

  /// Replaces what was read by `next`, as the next version. False when somebody else has written
  /// since.
  boolean write(String tenant, Registered next);

  /// A tenant's webhooks, the oldest first.
  ///
  /// @param version of the read that this is, or is derived from
  record Registered(long version, List<Webhook> webhooks) {
    public static final Registered NONE = new Registered(0, List.of());

    public Registered {
      webhooks = List.copyOf(webhooks);
    }

    public Optional<Webhook> find(String id) {
      return webhooks.stream().filter(webhook -> webhook.id().equals(id)).findFirst();
    }

    Registered adding(Webhook webhook) {
      List<Webhook> all = new ArrayList<>(webhooks);
      all.add(webhook);
      return new Registered(version, all);
    }

    Registered without(String id) {
      return new Registered(
          version, webhooks.stream().filter(webhook -> !webhook.id().equals(id)).toList());
    }

    Registered replacing(Webhook other) {
      return new Registered(
          version,
          webhooks.stream()
              .map(webhook -> webhook.id().equals(other.id()) ? other : webhook)
              .toList());
    }
  }
}
