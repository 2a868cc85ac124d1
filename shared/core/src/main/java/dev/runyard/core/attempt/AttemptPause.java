package dev.runyard.core.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Asks an agent whether it can be paused. A check may read files and call a store, so it is made
/// beside the attempt, one at a time: what it writes must never come after what a pause stores.
final class AttemptPause {
  /// How long an agent keeps its place before it is asked again.
  static final Duration LOOK_AGAIN = Duration.ofSeconds(60);

  /// The same while its runner stops, or where asking costs nothing.
  static final Duration SOON_AGAIN = Duration.ofMillis(500);

  /// How long a runner that stops tries to pause an agent before it ends it: what is left of its
  /// time is needed for the agent's end.
  static final Duration HURRIED_MAX = Duration.ofSeconds(10);

  private @Nullable Future<AgentHandle.Pausable> asked;
  private Polling polling = new Polling();
  private Need need = Need.PLACE;
  private Instant notBefore = Instant.MIN;
  private Instant triesEnd = Instant.MAX;
  private boolean consulted;
  private boolean outdated;
  private boolean refused;

  /// Why the agent is to be paused, the most pressing last.
  enum Need {
    /// Others may need its place.
    PLACE,
    PUT_ASIDE,
    RUNNER_STOPS
  }

  /// What becomes of an agent that others want to give way.
  enum Way {
    PAUSE,
    STOP,
    GO_ON
  }

  /// An agent that is put aside, or whose runner stops while it waits for a person, is paused. If
  /// it cannot be, it works on, or is stopped with its runner.
  Way givesWay(AgentHandle agent, AttemptLog at, boolean draining, Instant now) {
    boolean pausable = at.putAside() || at.awaiting();
    if (pausable && may(agent, draining ? Need.RUNNER_STOPS : Need.PUT_ASIDE, now)) {
      return Way.PAUSE;
    }
    return draining && (!pausable || inVain(now)) ? Way.STOP : Way.GO_ON;
  }

  /// True once the agent has said that it can be paused. What it said for a less pressing need does
  /// not keep it from being asked at once.
  boolean may(AgentHandle agent, Need why, Instant now) {
    consulted = true;
    if (why.compareTo(need) > 0) {
      notBefore = now;
      refused = false;
      triesEnd = now.plus(HURRIED_MAX);
    }
    need = why;
    triesEnd = atMost(triesEnd, now.plus(HURRIED_MAX));
    notBefore = atMost(notBefore, now.plus(LOOK_AGAIN));
    if (asked != null && outdated && asked.isDone()) {
      asked = null;
    }
    if (asked == null) {
      if (now.isBefore(notBefore)) {
        return false;
      }
      asked = agent.canPause();
      polling = new Polling();
      outdated = false;
    }
    return !outdated && asked.isDone() && answered(asked, now);
  }

  private boolean answered(Future<AgentHandle.Pausable> by, Instant now) {
    asked = null;
    AgentHandle.Pausable answer =
        by.state() == Future.State.SUCCESS ? by.resultNow() : AgentHandle.Pausable.NO;
    refused = answer == AgentHandle.Pausable.NO;
    notBefore =
        now.plus(
            switch (answer) {
              case NOT_YET -> SOON_AGAIN;
              case UNANSWERED -> need == Need.RUNNER_STOPS ? SOON_AGAIN : LOOK_AGAIN;
              case YES, NO -> LOOK_AGAIN;
            });
    return answer == AgentHandle.Pausable.YES;
  }

  /// True when a runner that stops has asked for long enough, or in vain.
  private boolean inVain(Instant now) {
    return refused || !now.isBefore(triesEnd);
  }

  /// When to step again, at the latest at `wake`. What was asked for a need that is gone does not
  /// count for the next one.
  Instant wakeAt(Instant wake, Instant now) {
    outdated |= !consulted;
    Instant next =
        !consulted ? wake : asked != null ? polling.next(wake, now) : atMost(wake, notBefore);
    consulted = false;
    return next.isBefore(now) ? now : next;
  }

  private static Instant atMost(Instant time, Instant most) {
    return time.isAfter(most) ? most : time;
  }
}
