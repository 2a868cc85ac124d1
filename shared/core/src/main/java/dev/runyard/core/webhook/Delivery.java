package dev.runyard.core.webhook;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One event for one webhook: what is sent, the same bytes with each try, and how the tries went.
///
/// @param runId of the run it tells of; null for a ping
/// @param target where it goes if not to a webhook of the tenant: the webhook of its run
/// @param tries since it was last begun
/// @param nextAt when it is tried next; null once it is not
/// @param dueAt when `sweep` sends its message again; null once nothing waits
/// @param log the newest tries, the last one last
/// @param version counts the writes
public record Delivery(
    DeliveryKey key,
    String event,
    @Nullable String runId,
    String body,
    Instant createdAt,
    @Nullable Target target,
    State state,
    int tries,
    @Nullable Instant nextAt,
    @Nullable Instant dueAt,
    List<Try> log,
    long version) {
  /// Tries that the log of a delivery keeps.
  public static final int TRIES_KEPT_MAX = 20;

  public Delivery {
    log = List.copyOf(log);
  }

  /// Where the webhook of a single run is; its text form has no secret.
  public record Target(String url, String secret) {
    @Override
    public String toString() {
      return url;
    }
  }

  /// What became of a delivery.
  public enum State {
    WAITING("waiting"),
    DELIVERED("delivered"),
    /// Given up; it can be sent again.
    FAILED("failed"),
    /// It is a feed's and is not sent.
    HELD("held");

    private final String wire;

    State(String wire) {
      this.wire = wire;
    }

    public String wire() {
      return wire;
    }
  }

  /// One try.
  ///
  /// @param status of the answer; null if there was none
  /// @param outcome in one word
  public record Try(Instant at, @Nullable Integer status, String outcome, long millis) {}

  /// One that was not sent yet.
  static Delivery first(
      DeliveryKey key, WebhookEvent event, @Nullable String runId, String body, Instant now) {
    return new Delivery(
        key,
        event.wire(),
        runId,
        body,
        now,
        null,
        State.WAITING,
        0,
        now,
        now.plusSeconds(RetrySchedule.GRACE_SECONDS),
        List.of(),
        0);
  }

  /// The same for the webhook of its run.
  Delivery to(Target other) {
    return new Delivery(
        key, event, runId, body, createdAt, other, state, tries, nextAt, dueAt, log, version);
  }

  /// The same for a feed.
  Delivery held() {
    return with(State.HELD, tries, null, null, log);
  }

  /// The same, to be tried anew.
  Delivery again(Instant now) {
    return with(State.WAITING, 0, now, now.plusSeconds(RetrySchedule.GRACE_SECONDS), log);
  }

  /// The same, of which `sweep` looks for a message at `due`.
  Delivery due(Instant due) {
    return with(state, tries, nextAt, due, log);
  }

  /// The same once it is delivered, or given up.
  Delivery over(State end, Try last) {
    return with(end, tries + 1, null, null, logged(last));
  }

  /// The same after a try that failed.
  Delivery retried(Try last, Instant next, Instant due) {
    return with(State.WAITING, tries + 1, next, due, logged(last));
  }

  /// The same as the store has it after a write.
  public Delivery stored() {
    return new Delivery(
        key, event, runId, body, createdAt, target, state, tries, nextAt, dueAt, log, version + 1);
  }

  private List<Try> logged(Try last) {
    List<Try> all = new ArrayList<>(log);
    all.add(last);
    return all.subList(Math.max(0, all.size() - TRIES_KEPT_MAX), all.size());
  }

  private Delivery with(
      State next, int tried, @Nullable Instant at, @Nullable Instant due, List<Try> tries) {
    return new Delivery(
        key, event, runId, body, createdAt, target, next, tried, at, due, tries, version);
  }
}
