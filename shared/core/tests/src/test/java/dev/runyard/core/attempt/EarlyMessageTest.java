package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.queue.Ticket;
import dev.runyard.core.request.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A message that a runner receives in the pause before its run's next attempt: one that was sent
/// again while the run waited, for example.
final class EarlyMessageTest {
  private static final Duration PAUSE = Duration.ofSeconds(60);

  private final AttemptRig rig =
      new AttemptRig(new RetryPolicy(2, List.of("agent_error"), (int) PAUSE.toSeconds()));

  @BeforeEach
  void pauses() {
    AttemptRig.Try first = rig.running("attempt-1");
    first.agent.fail("agent_error");
    first.finish();
    rig.advance();
    rig.queue.send(rig.run, 0);
  }

  @Test
  void startsNothingBeforeThePauseIsOver() {
    assertEquals(Step.Verdict.DEFERRED, rig.take("attempt-early").finish());
    rig.pass(PAUSE.minusMillis(1));
    assertEquals(List.of(), rig.queue.receive(1, 0));

    rig.pass(Duration.ofMillis(1));
    rig.running("attempt-2");
    assertEquals(Step.Verdict.NOT_NEEDED, rig.take("attempt-3").finish());
  }

  /// One that is received too often is a dead letter, though nothing is wrong.
  @Test
  void comesAfterThePauseAsANewMessage() {
    assertEquals(Step.Verdict.DEFERRED, rig.take("attempt-early").finish());
    rig.pass(PAUSE);

    List<Ticket> messages = rig.queue.receive(10, 0);

    assertEquals(List.of(1, 1), messages.stream().map(Ticket::receiveCount).toList());
  }

  @Test
  void isSentAgainIfThatWasNotAnswered() {
    rig.queue.loseReplies(1);

    assertEquals(Step.Verdict.DEFERRED, rig.take("attempt-early").finish());

    assertTrue(rig.queue.runs().size() > 1);
    rig.pass(PAUSE);
    rig.running("attempt-2");
    assertEquals(Step.Verdict.NOT_NEEDED, rig.take("attempt-3").finish());
  }
}
