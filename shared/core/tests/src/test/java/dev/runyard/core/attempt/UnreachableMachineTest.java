package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.limits.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A machine that reaches neither log nor queue any more, where each call takes as long as a call
/// may. Its run's message comes back when the lease is over, and whoever receives it ends the
/// attempt [Limits#ALIVE_SECONDS] later, after which another agent may begin.
final class UnreachableMachineTest {
  private static final Duration LEASE = AttemptRig.LEASE;

  /// `AwsClients.CALL_SECONDS_MAX`.
  private static final Duration CALL = Duration.ofSeconds(6);

  /// A process tree that gets no grace is gone by then.
  private static final Duration KILL = Duration.ofSeconds(3);

  private static final Duration SECOND = Duration.ofSeconds(1);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hasNoAgentWhenAnotherMayBegin(boolean talks) {
    for (int millis = 0; millis <= 2 * LEASE.toMillis(); millis += 250) {
      AttemptRig rig = new AttemptRig();
      AttemptRig.Try attempt = rig.running("attempt-1");
      works(rig, attempt, rig.clock.instant().plusMillis(millis), talks);
      Instant another = anotherMayBegin(rig);
      rig.cutOff(CALL);

      works(rig, attempt, another.minus(KILL), talks);

      assertTrue(attempt.agent.killed(), "cut off after %d ms".formatted(millis));
      assertFalse(rig.clock.instant().isAfter(another.minus(KILL)), () -> "late");
    }
  }

  /// Its last write may then be later than the end of its lease.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hasNoneEitherWhereTheQueueWentFirst(boolean talks) {
    for (int millis = 0; millis <= 3 * LEASE.toMillis(); millis += 500) {
      AttemptRig rig = new AttemptRig();
      AttemptRig.Try attempt = rig.running("attempt-1");
      rig.queue.hang(() -> rig.pass(CALL));
      works(rig, attempt, rig.clock.instant().plusMillis(millis), talks);
      assertFalse(attempt.agent.killed(), "the log answered for %d ms".formatted(millis));
      Instant another = anotherMayBegin(rig);
      rig.cutOff(CALL);

      works(rig, attempt, another.minus(KILL), talks);

      assertTrue(attempt.agent.killed(), "cut off after %d ms".formatted(millis));
      assertFalse(rig.clock.instant().isAfter(another.minus(KILL)), () -> "late");
    }
  }

  /// The queue answers as soon as it is asked, and says whether somebody may have the message.
  @Test
  void goesOnWhereOnlyTheLogIsSlow() {
    for (int millis = 0; millis <= LEASE.toMillis(); millis += 250) {
      AttemptRig rig = new AttemptRig();
      AttemptRig.Try attempt = rig.running("attempt-1");
      attempt.during(Duration.ofMillis(millis));
      Deque<Duration> calls = new ArrayDeque<>(List.of(CALL.multipliedBy(4)));
      rig.log.hang(() -> rig.pass(calls.isEmpty() ? Duration.ZERO : calls.remove()));
      attempt.agent.say("word");
      attempt.during(CALL.multipliedBy(9));
      rig.log.down(false);

      attempt.during(LEASE);

      assertEquals(0, attempt.agent.stops(), "slow after %d ms".formatted(millis));
    }
  }

  /// Steps until then, or until the agent is killed.
  private static void works(AttemptRig rig, AttemptRig.Try attempt, Instant until, boolean talks) {
    while (rig.clock.instant().isBefore(until) && !attempt.agent.killed()) {
      if (talks) {
        attempt.agent.say("word");
      }
      Duration rest = Duration.between(rig.clock.instant(), until);
      attempt.during(rest.compareTo(SECOND) < 0 ? rest : SECOND);
    }
  }

  /// When a copy of its message ends the attempt at the earliest, if it writes no more.
  private static Instant anotherMayBegin(AttemptRig rig) {
    Instant leased =
        rig.queue.extensions().isEmpty() ? AttemptRig.START : rig.queue.extensions().getLast();
    Instant wrote =
        rig.chunks().getLast().events(EventCodec.RUNS).stream()
            .map(StoredEvent::timestamp)
            .max(Instant::compareTo)
            .orElseThrow();
    Instant back = leased.plus(LEASE);
    return (wrote.isAfter(back) ? wrote : back).plusSeconds(Limits.ALIVE_SECONDS);
  }
}
