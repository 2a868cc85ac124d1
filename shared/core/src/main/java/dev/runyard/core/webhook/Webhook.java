package dev.runyard.core.webhook;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Somebody who wants to be told.
///
/// @param url where deliveries go; null for a feed, whose deliveries stay in its log for a program
///   that reads them
/// @param events names of those it wants
/// @param secrets the newest first
/// @param failingSince since when every try has failed; null while they succeed
/// @param disabled why nothing is sent; null while it is
public record Webhook(
    String id,
    @Nullable String url,
    String description,
    List<String> events,
    List<WebhookSecret> secrets,
    Instant createdAt,
    @Nullable Instant failingSince,
    @Nullable Disabled disabled) {
  /// Secrets that count at once.
  static final int SECRETS_MAX = 3;

  /// A webhook whose every try has failed for this long is disabled.
  public static final int FAILING_SECONDS_MAX = 5 * 24 * 3600;

  public Webhook {
    events = List.copyOf(events);
    secrets = List.copyOf(secrets);
  }

  /// Why a webhook is sent nothing.
  public enum Cause {
    /// It answered 410.
    GONE("gone"),
    /// Every try has failed for days.
    FAILING("failing"),
    /// Its tenant wanted it so.
    REQUESTED("requested");

    private final String wire;

    Cause(String wire) {
      this.wire = wire;
    }

    public String wire() {
      return wire;
    }
  }

  /// Since when, and why, nothing is sent.
  public record Disabled(Cause cause, Instant since) {}

  boolean wants(WebhookEvent event) {
    return disabled == null && events.contains(event.wire());
  }

  /// True for a webhook whose deliveries are read, not sent.
  @JsonIgnore
  public boolean isFeed() {
    return url == null;
  }

  /// The texts of the secrets that count.
  List<String> signing(Instant now) {
    return secrets.stream().filter(secret -> secret.counts(now)).map(WebhookSecret::text).toList();
  }

  /// The same with a newer secret, beside which the ones before count for `overlap`.
  Webhook rotated(WebhookSecret next, Instant now, Duration overlap) {
    Instant end = now.plus(overlap);
    List<WebhookSecret> all = new ArrayList<>();
    all.add(next);
    secrets.stream()
        .filter(secret -> secret.counts(now))
        .map(secret -> secret.until() == null ? secret.until(end) : secret)
        .filter(secret -> secret.counts(now))
        .limit(SECRETS_MAX - 1)
        .forEach(all::add);
    return new Webhook(id, url, description, events, all, createdAt, failingSince, disabled);
  }

  /// The same after a try.
  Webhook tried(boolean delivered, boolean gone, Instant now) {
    if (delivered) {
      return with(null, disabled);
    }
    Instant since = Optional.ofNullable(failingSince).orElse(now);
    if (gone) {
      return with(since, new Disabled(Cause.GONE, now));
    }
    boolean over = !now.isBefore(since.plusSeconds(FAILING_SECONDS_MAX));
    return with(since, over && disabled == null ? new Disabled(Cause.FAILING, now) : disabled);
  }

  Webhook with(@Nullable Instant failing, @Nullable Disabled off) {
    return new Webhook(id, url, description, events, secrets, createdAt, failing, off);
  }

  Webhook with(@Nullable String target, String text, List<String> wanted) {
    return new Webhook(id, target, text, wanted, secrets, createdAt, failingSince, disabled);
  }
}
