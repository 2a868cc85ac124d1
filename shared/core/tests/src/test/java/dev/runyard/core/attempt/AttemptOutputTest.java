package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.request.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How an agent's output becomes chunks of the log.
final class AttemptOutputTest {
  private static final Duration JUST_BEFORE = AttemptRig.FLUSH.minusMillis(1);
  private static final int STARTED = 6;
  private static final int CHUNKS_STARTED = 3;

  private final AttemptRig rig = new AttemptRig();
  private AttemptRig.Try attempt = rig.running("attempt-1");

  @BeforeEach
  void letsTheFirstLookPass() {
    attempt.during(Duration.ofSeconds(2));
  }

  @Test
  void holdsOutputBackForTheFlushWindow() {
    attempt.agent.say("a");
    assertFalse(attempt.next().isAfter(rig.clock.instant().plus(AttemptRig.FLUSH)));
    rig.pass(JUST_BEFORE);
    attempt.agent.say("b");
    attempt.step();
    assertEquals(List.of(), rig.types(STARTED));

    rig.pass(Duration.ofMillis(1));
    attempt.step();

    assertEquals(List.of("model.delta", "model.delta"), rig.types(STARTED));
    assertEquals(CHUNKS_STARTED + 1, rig.chunks().size());
  }

  @Test
  void countsTheWindowFromTheOldestEvent() {
    attempt.agent.say("a");
    attempt.step();
    rig.pass(AttemptRig.FLUSH);
    attempt.step();
    rig.pass(Duration.ofSeconds(3));
    attempt.step();

    attempt.agent.say("b");
    attempt.step();
    rig.pass(JUST_BEFORE);
    attempt.step();

    assertEquals(List.of("model.delta"), rig.types(STARTED));
  }

  @Test
  void writesWhatChangesTheStateAtOnceAndInOrder() {
    attempt.agent.say("a");
    attempt.agent.tell(new RunEvent.TurnStarted(1));
    attempt.agent.say("b");

    attempt.step();

    assertEquals(List.of("model.delta", "turn.started", "model.delta"), rig.types(STARTED));
    assertTrue(rig.chunks().getLast().state().isPresent());
  }

  @Test
  void keepsWhatTheAgentRemembersBeforeTheEndIsWritten() {
    attempt.agent.say("a");
    attempt.agent.forgetful(new RunEvent.RuntimeWarning("session_not_kept", "It is too large."));
    attempt.agent.succeed();

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertEquals(1, attempt.agent.logAtKeep().size());
    assertFalse(attempt.agent.logAtKeep().getFirst().contains("process.completed"));
    assertEquals(
        List.of("model.delta", "runtime.warning", "process.completed", "task.attempt.completed"),
        rig.types(STARTED));
  }

  @Test
  void marksAChunkOfOutputAsNoChangeOfState() {
    attempt.agent.say("a");
    attempt.during(Duration.ofSeconds(1));

    assertTrue(rig.chunks().getLast().state().isEmpty());
    assertFalse(rig.chunks().getLast().closed());
  }

  @Test
  void writesTheEndWithTheLastOutputInOneChunk() {
    attempt.agent.say("a");
    attempt.agent.succeed();

    attempt.finish();

    assertEquals(
        List.of("model.delta", "process.completed", "task.attempt.completed"), rig.types(STARTED));
    assertEquals(CHUNKS_STARTED + 1, rig.chunks().size());
  }

  @Test
  void splitsChunksByCount() {
    int events = 2 * AttemptLog.CHUNK_EVENTS_MAX + 500;
    for (int i = 0; i < events; i++) {
      attempt.agent.say(i + " ");
    }

    attempt.step();

    assertEquals(
        List.of(AttemptLog.CHUNK_EVENTS_MAX, AttemptLog.CHUNK_EVENTS_MAX, 500),
        rig.chunks().stream().skip(CHUNKS_STARTED).map(Chunk::count).toList());
    assertEquals(events, rig.types(STARTED).size());
  }

  @Test
  void writesAFullChunkWithoutWaiting() {
    for (int i = 0; i < AttemptLog.CHUNK_EVENTS_MAX - 1; i++) {
      attempt.agent.say("x");
    }
    attempt.step();
    assertEquals(List.of(), rig.types(STARTED));

    attempt.agent.say("x");
    attempt.step();

    assertEquals(AttemptLog.CHUNK_EVENTS_MAX, rig.types(STARTED).size());
  }

  @Test
  void splitsChunksByText() {
    attempt.agent.say("a".repeat(30_000), "b".repeat(30_000), "c".repeat(30_000));
    attempt.agent.say("d".repeat(Limits.TEXT_BYTES_MAX), "e".repeat(Limits.TEXT_BYTES_MAX));
    attempt.agent.succeed();

    attempt.finish();

    assertEquals(
        List.of(2, 1, 1, 1, 2),
        rig.chunks().stream().skip(CHUNKS_STARTED).map(Chunk::count).toList());
  }

  @Test
  void keepsEveryChunkWithinItsBytesWhateverTheOutputIs() {
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      attempt.agent.tell(
          new RunEvent.ToolStarted("tool-" + i, "shell", "command_execution", noise(random)),
          new RunEvent.ToolProgress("tool-" + i, "shell", "command_execution", noise(random), null),
          new RunEvent.ToolResult("tool-" + i, "shell", "command_execution", 0, noise(random), 9));
    }
    attempt.agent.say(noise(random).repeat(16), "ü💖".repeat(10_000));
    attempt.agent.succeed();

    attempt.finish();

    int largest = rig.chunks().stream().mapToInt(c -> c.body().bytes().length).max().orElse(0);
    assertTrue(largest <= Chunk.CHUNK_BYTES_MAX, "the largest chunk has " + largest + " bytes");
    assertEquals(602, rig.types(STARTED).size() - 2);
  }

  /// 4,096 bytes that hardly deflate.
  private static String noise(Random random) {
    char[] text = new char[4096];
    for (int i = 0; i < text.length; i++) {
      text[i] = (char) random.nextInt('!', '~');
    }
    return new String(text);
  }

  @Test
  void recognisesItsOwnWriteWhoseAnswerWasLost() {
    attempt.agent.say("a");
    attempt.step();
    rig.log.loseReplies(2);
    rig.pass(AttemptRig.FLUSH);
    attempt.during(Duration.ofSeconds(1));
    attempt.agent.say("b");
    attempt.agent.succeed();

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertEquals(
        List.of("model.delta", "model.delta", "process.completed", "task.attempt.completed"),
        rig.types(STARTED));
  }

  @Test
  void recognisesItsOwnWriteWhenTheAgentEndsBeforeItIsTriedAgain() {
    attempt.agent.say("a");
    attempt.step();
    rig.log.loseReplies(1);
    rig.pass(AttemptRig.FLUSH);
    attempt.step();
    attempt.agent.succeed();

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertEquals(
        List.of("model.delta", "process.completed", "task.attempt.completed"), rig.types(STARTED));
  }

  @Test
  void recognisesItsOwnClaimAndStartWhoseAnswersWereLost() {
    AttemptRig other = new AttemptRig();
    AttemptRig.Try claimed = other.take("attempt-1");
    other.log.loseReplies(1);
    claimed.during(Duration.ofMillis(100));
    other.log.loseReplies(1);
    claimed.during(Duration.ofSeconds(1));
    claimed.agent.succeed();

    assertEquals(Step.Verdict.ENDED, claimed.finish());

    assertEquals(1, claimed.agent.launches().size());
    assertEquals(
        List.of(
            "task.attempt.started",
            "turn.started",
            "process.started",
            "process.completed",
            "task.attempt.completed"),
        other.types(3));
  }

  @Test
  void recognisesItsOwnSignOfLifeWhoseAnswerWasLost() {
    AttemptRig slow = new AttemptRig(RetryPolicy.NEVER, AttemptRig.LOOK.multipliedBy(3));
    AttemptRig.Try quiet = slow.running("attempt-1");
    quiet.during(Duration.ofSeconds(Limits.HEARTBEAT_SECONDS - 1));
    slow.log.loseReplies(1);
    quiet.during(Duration.ofSeconds(Limits.HEARTBEAT_SECONDS));
    quiet.agent.succeed();

    assertEquals(Step.Verdict.ENDED, quiet.finish());

    assertEquals("run.status", slow.types(STARTED).getFirst());
  }

  @Test
  void keepsTheOrderOfOutputOverAnOutage() {
    attempt.agent.say("a", "b");
    attempt.step();
    rig.log.down(true);
    rig.pass(AttemptRig.FLUSH);
    attempt.during(Duration.ofSeconds(3));
    attempt.agent.say("c");
    attempt.during(Duration.ofSeconds(3));
    rig.log.down(false);
    attempt.agent.say("d");
    attempt.agent.succeed();

    attempt.finish();

    assertEquals(
        "abcd",
        rig.events().stream()
            .filter(RunEvent.ModelDelta.class::isInstance)
            .map(event -> ((RunEvent.ModelDelta) event).text())
            .collect(Collectors.joining()));
  }

  @Test
  void leavesTheRestWithTheAgentWhileTheLogIsDown() {
    rig.log.down(true);
    for (int i = 0; i < 10_000; i++) {
      attempt.agent.say("x");
    }

    attempt.during(Duration.ofSeconds(10));

    assertEquals(10_000 - Backlog.EVENTS_MAX, attempt.agent.waiting());
    rig.log.down(false);
    attempt.agent.succeed();
    attempt.finish();
    assertEquals(10_002, rig.types(STARTED).size());
  }

  @Test
  void leavesTheRestWithTheAgentWhileTheLogIsDownHoweverLongItsEventsAre() {
    rig.log.down(true);
    for (int i = 0; i < 1_000; i++) {
      attempt.agent.say("x".repeat(Limits.TEXT_BYTES_MAX));
      attempt.step();
      rig.pass(Duration.ofMillis(10));
    }

    int taken = 1_000 - attempt.agent.waiting();
    assertTrue(taken <= Backlog.BYTES_MAX / Limits.TEXT_BYTES_MAX, "taken: " + taken);
    rig.log.down(false);
    attempt.agent.succeed();
    attempt.finish();
    assertEquals(1_002, rig.types(STARTED).size());
  }

  @Test
  void writesAChunkFullOfTextWithoutWaiting() {
    attempt.agent.say("x".repeat(Limits.TEXT_BYTES_MAX));

    attempt.step();

    assertEquals(List.of("model.delta"), rig.types(STARTED));
  }

  @Test
  void asksALogThatIsDownOnlyNowAndThenHoweverMuchTheAgentWrites() {
    rig.log.down(true);
    int before = rig.log.calls();
    for (int i = 0; i < 1_000; i++) {
      attempt.agent.say("x");
      attempt.step();
      rig.pass(Duration.ofMillis(1));
    }

    assertTrue(rig.log.calls() - before <= 6, "calls: " + (rig.log.calls() - before));
  }
}
