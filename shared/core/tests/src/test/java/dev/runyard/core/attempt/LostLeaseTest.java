package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.limits.Limits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// An attempt that goes on without its message, which somebody else may have.
final class LostLeaseTest {
  private static final Duration LEASE = AttemptRig.LEASE;

  private final AttemptRig rig = new AttemptRig();

  @Test
  void goesOnWithoutTheLogForLessThanALease() {
    AttemptRig.Try attempt = withoutItsMessage();
    rig.log.down(true);
    attempt.during(LEASE.minusSeconds(2));

    assertEquals(0, attempt.agent.stops());
    rig.log.down(false);
    attempt.during(Duration.ofSeconds(1));
    attempt.agent.succeed();

    assertEquals(Step.Verdict.ENDED, attempt.finish());
  }

  /// Who has the message ends it sooner than it would end its agent if it were its own.
  @Test
  void endsItsAgentAfterALeaseWithoutTheLog() {
    AttemptRig.Try attempt = withoutItsMessage();
    rig.log.down(true);
    attempt.during(LEASE.plusSeconds(1));

    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();

    assertEquals(Step.Verdict.CUT_OFF, attempt.finish());
  }

  /// However long ago its lease was lost, its message may come back: no other runner had room for
  /// it. Its silence then counts from its last write.
  @Test
  void isTakenForDeadSoonAfterItsLastWriteThoughItsLeaseWasLostLongBefore() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.queue.down(true);
    attempt.during(LEASE.plusSeconds(1));
    rig.queue.down(false);
    attempt.during(LEASE.multipliedBy(5));
    int written = rig.types(0).size();

    assertEquals(Step.Verdict.DEFERRED, rig.take("attempt-sees").finish());
    rig.pass(Duration.ofSeconds(Limits.ALIVE_SECONDS));
    assertEquals(Step.Verdict.NOT_NEEDED, rig.take("attempt-ends").finish());

    assertEquals("task.attempt.failed", rig.types(written).getFirst());
  }

  /// Its message was lost, and it knows. It has just written.
  private AttemptRig.Try withoutItsMessage() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.queue.delete(rig.queue.last());
    attempt.during(LEASE);
    attempt.agent.say("a");
    attempt.during(Duration.ofSeconds(1));
    return attempt;
  }
}
