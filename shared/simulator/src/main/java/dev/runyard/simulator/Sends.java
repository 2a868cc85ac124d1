package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.queue.QueueMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// When messages of waiting runs were sent, and when a fault kept one from being sent: its run
/// waits until it is sent again, which `sweep` does after a pause that doubles.
final class Sends {
  private static final int DOUBLINGS_MAX = 10;

  private final Map<RunKey, List<Send>> sends = new HashMap<>();
  private final Timeline timeline;

  Sends(Timeline timeline) {
    this.timeline = timeline;
  }

  private record Send(Instant at, int delaySeconds, boolean done) {
    /// When it is sent again at the latest.
    ///
    /// @param earlier how many messages the run had since it began to wait
    Instant againBy(int earlier) {
      int doubled = Limits.RESEND_SECONDS << Math.min(earlier, DOUBLINGS_MAX);
      int pause = Math.min(doubled, Limits.RESEND_SECONDS_MAX);
      return at.plusSeconds(delaySeconds).plusSeconds(pause).plusSeconds(SweepActor.PERIOD_SECONDS);
    }
  }

  void sent(QueueMessage message, int delaySeconds) {
    add(message, delaySeconds, true);
  }

  /// A fault kept it from being sent.
  void kept(QueueMessage message, int delaySeconds) {
    add(message, delaySeconds, false);
  }

  private void add(QueueMessage message, int delaySeconds, boolean done) {
    if (message.sighting().isEmpty()) {
      of(message.run()).add(new Send(timeline.now(), delaySeconds, done));
    }
  }

  /// How often one was sent, or was kept from being sent.
  int count(RunKey run) {
    return of(run).size();
  }

  /// For how long a run waited in a span for messages that were not sent, as long as they are sent
  /// again in time.
  Duration unsent(RunKey run, Instant since, Instant until) {
    List<Send> its = of(run).stream().filter(send -> !send.at().isBefore(since)).toList();
    Duration waited = Duration.ZERO;
    for (int i = 0; i < its.size(); i++) {
      Instant again = earlier(i + 1 < its.size() ? its.get(i + 1).at() : until, until);
      Instant end = earlier(again, its.get(i).againBy(i));
      if (!its.get(i).done() && end.isAfter(its.get(i).at())) {
        waited = waited.plus(Duration.between(its.get(i).at(), end));
      }
    }
    return waited;
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private List<Send> of(RunKey run) {
    return sends.computeIfAbsent(run, _ -> new ArrayList<>());
  }
}
