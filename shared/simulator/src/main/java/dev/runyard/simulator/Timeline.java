package dev.runyard.simulator;

import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Lets actors act when they have something to do, on one thread, and moves the clock to the next
/// of those times. While a port call of one lasts, the others act.
final class Timeline {
  /// Calls that may be under way at once; one more takes no time.
  private static final int NESTING_MAX = 3;

  /// Acts at one moment; more of them get nowhere.
  private static final int ACTS_MAX = 20_000;

  private final Random random;
  private final SettableClock clock;
  private final Alarms alarms;
  private final List<Actor> actors = new ArrayList<>();
  private final Set<Actor> busy = new HashSet<>();
  private final List<Violation> failures = new ArrayList<>();
  private Instant moment = Instant.MIN;
  private int acts;

  Timeline(Random random, SettableClock clock, Alarms alarms) {
    this.random = random;
    this.clock = clock;
    this.alarms = alarms;
  }

  void add(Actor actor) {
    actors.add(actor);
  }

  void remove(Actor actor) {
    actors.remove(actor);
  }

  Instant now() {
    return clock.instant();
  }

  /// True while a call of an actor of this role lasts.
  boolean underWay(Role role) {
    return busy.stream().anyMatch(actor -> actor.caller().role() == role);
  }

  /// Actors that failed in a way no fault explains.
  List<Violation> failures() {
    return failures;
  }

  /// Something failed in a way no fault explains.
  void failed(String who, RuntimeException why) {
    failures.add(new Violation("actor", "%s failed: %s at %s".formatted(who, why, where(why))));
  }

  /// Nobody does anything for that long.
  void skip(Duration duration) {
    clock.advance(duration);
  }

  /// A call under way lasts that long.
  void elapse(Duration duration) {
    if (busy.size() <= NESTING_MAX) {
      play(now().plus(duration), () -> false);
    }
  }

  /// Plays on until `end`, or until `over` holds.
  void play(Instant end, BooleanSupplier over) {
    while (failures.isEmpty() && !over.getAsBoolean()) {
      Actor next = next(end);
      if (next == null) {
        if (end.isAfter(now())) {
          clock.set(end);
        }
        return;
      }
      if (next.nextAt().isAfter(now())) {
        clock.set(next.nextAt());
      }
      act(next);
    }
  }

  /// Who acts next, by chance among those who are due at once.
  private @Nullable Actor next(Instant end) {
    Actor first = null;
    Instant at = end;
    int due = 0;
    Instant now = now();
    for (Actor actor : actors) {
      if (busy.contains(actor)) {
        continue;
      }
      Instant next = actor.nextAt();
      if (!next.isAfter(now)) {
        if (random.nextInt(++due) == 0) {
          first = actor;
          at = now;
        }
      } else if (due == 0 && next.isBefore(at)) {
        first = actor;
        at = next;
      }
    }
    return first;
  }

  /// The innermost of our own places.
  private static String where(RuntimeException e) {
    return Arrays.stream(e.getStackTrace())
        .map(StackTraceElement::toString)
        .filter(place -> place.contains("dev.runyard"))
        .findFirst()
        .orElse("nowhere");
  }

  private void act(Actor actor) {
    acts = moment.equals(now()) ? acts + 1 : 0;
    moment = now();
    if (acts > ACTS_MAX) {
      failures.add(new Violation("actor", actor + " gets nowhere at " + now()));
    }
    busy.add(actor);
    actor.caller().begins(now());
    try {
      actor.act();
    } catch (Crash _) {
      actor.crashed();
    } catch (PortUnavailable _) {
      alarms.failed(actor.caller().role());
    } catch (RuntimeException e) {
      failed(actor.getClass().getSimpleName(), e);
    } finally {
      busy.remove(actor);
    }
  }
}
