package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.request.JobItem;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The delayed copy of an item's message: it stays behind the messages of other runs, and whatever
/// becomes of the copy, the item is not lost and runs once.
final class DeferredItemTest {
  private static final Duration ALIVE = Duration.ofSeconds(Limits.ALIVE_SECONDS);
  private static final RetryPolicy RETRIES_LOST =
      new RetryPolicy(2, List.of(Failure.RUNNER_LOST), 0);

  private final AttemptRig rig = new AttemptRig(RETRIES_LOST, new JobItem("job-1", 7, 1));

  @Test
  void keepsItsPlaceBehindOthers() {
    Ticket first = deferred();

    QueueMessage copy = rig.queue.sent().getLast();
    assertEquals(first.messageId(), copy.sighting().orElseThrow().ticket());
    assertTrue(copy.last());
    AttemptRig other = new AttemptRig();
    other.running("attempt-1");
    deferredBy(other);
    assertFalse(other.queue.sent().getLast().last());
  }

  @Test
  void whatFollowsALostAttemptComesBehindOthersToo() {
    deferred();
    rig.pass(ALIVE);
    rig.take("attempt-ends").finish();

    rig.advance();

    assertTrue(rig.queue.sent().getLast().last());
    assertEquals(
        List.of(true), rig.queue.sent().stream().map(QueueMessage::last).distinct().toList());
  }

  @Test
  void aCopyThatComesTwiceEndsOneAttemptAndStartsNone() {
    deferred();
    rig.pass(ALIVE);
    Ticket copy = rig.queue.receive(1, 0).getFirst();
    AttemptRig.Try ends = rig.tryWith(copy, "attempt-ends");
    rig.queue.showAgain(copy);
    Ticket again = rig.queue.receive(1, 0).getFirst();
    assertEquals(copy.messageId(), again.messageId());

    assertEquals(Step.Verdict.NOT_NEEDED, ends.finish());
    rig.advance();
    assertEquals(Step.Verdict.NOT_NEEDED, rig.tryWith(again, "attempt-late").finish());

    assertRunsOnce();
  }

  @Test
  void aCopyWhoseSendIsNotAnsweredIsSentAgainAndBothDoNoHarm() {
    rig.running("attempt-1");
    rig.pass(AttemptRig.LEASE.plusSeconds(1));
    rig.queue.loseReplies(1);
    assertEquals(Step.Verdict.DEFERRED, rig.take("attempt-sees").finish());
    assertEquals(2, rig.queue.runs().size());
    assertEquals(
        List.of(true), rig.queue.sent().stream().map(QueueMessage::last).distinct().toList());

    rig.pass(ALIVE);
    assertEquals(Step.Verdict.NOT_NEEDED, rig.take("attempt-ends").finish());
    rig.advance();

    assertRunsOnce();
  }

  /// The message is there until its copy is sent, and comes back if its receiver dies in between.
  @Test
  void aReceiverThatDiesBehindTheCopyLosesNothing() {
    rig.running("attempt-1");
    rig.pass(AttemptRig.LEASE.plusSeconds(1));
    rig.queue.loseReplies(1);
    rig.take("attempt-dies").step();
    assertEquals(2, rig.queue.runs().size());

    rig.pass(AttemptRig.LEASE.plusSeconds(1));
    for (Ticket ticket : rig.queue.receive(10, 0)) {
      rig.tryWith(ticket, "attempt-" + ticket.messageId()).finish();
    }
    rig.advance();

    assertRunsOnce();
  }

  private Ticket deferred() {
    rig.running("attempt-1");
    Ticket first = rig.queue.last();
    deferredBy(rig);
    return first;
  }

  /// Its message is received by another runner, which sends the copy.
  private static void deferredBy(AttemptRig of) {
    of.pass(AttemptRig.LEASE.plusSeconds(1));
    assertEquals(Step.Verdict.DEFERRED, of.take("attempt-sees").finish());
  }

  /// One message is left that is no copy: with it the second attempt completes the run, whatever
  /// copies come meanwhile.
  private void assertRunsOnce() {
    rig.pass(ALIVE);
    List<Ticket> copies = new ArrayList<>(rig.queue.receive(10, 0));
    List<Ticket> own = copies.stream().filter(ticket -> ticket.sighting().isEmpty()).toList();
    assertEquals(1, own.size());
    copies.removeAll(own);
    AttemptRig.Try second = rig.tryWith(own.getFirst(), "attempt-2");
    second.step();
    second.step();
    for (Ticket copy : copies) {
      assertEquals(Step.Verdict.NOT_NEEDED, rig.tryWith(copy, "attempt-late").finish());
    }
    second.agent.succeed();
    assertEquals(Step.Verdict.ENDED, second.finish());
    assertEquals(2, assertInstanceOf(RunState.Completed.class, rig.advance()).facts().attempts());
    assertEquals(List.of(), rig.queue.runs());
  }
}
