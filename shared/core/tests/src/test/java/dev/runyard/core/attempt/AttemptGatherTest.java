package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.limits.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How long an attempt holds output back while nobody watches its run.
final class AttemptGatherTest {
  private static final Duration GATHER = Duration.ofSeconds(Limits.GATHER_SECONDS_MAX);
  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final int STARTED = 6;

  /// The pause between two looks while nobody is there, and a moment.
  private static final Duration LOOK = AttemptRig.LOOK.multipliedBy(2).plus(MOMENT);

  private final AttemptRig rig = new AttemptRig();
  private final AttemptRig.Try attempt = started();

  private AttemptRig.Try started() {
    rig.gather(GATHER);
    return rig.running("attempt-1");
  }

  @Test
  void gathersWhatNobodyWatches() {
    attempt.agent.say("a");
    attempt.during(Duration.ofSeconds(6));
    attempt.agent.say("b");
    attempt.during(GATHER.minusSeconds(6));
    assertEquals(List.of(), rig.types(STARTED));

    attempt.during(MOMENT);

    assertEquals(List.of("model.delta", "model.delta"), rig.types(STARTED));
    assertEquals(4, rig.chunks().size());
  }

  @Test
  void anEventHasTheTimeAtWhichItHappened() {
    Instant first = rig.clock.instant();
    attempt.agent.say("a");
    attempt.during(Duration.ofSeconds(6));
    attempt.agent.say("b");
    attempt.during(GATHER);

    assertEquals(
        List.of(first, first.plusSeconds(6)),
        rig.chunks().getLast().events(EventCodec.RUNS).stream()
            .map(StoredEvent::timestamp)
            .toList());
  }

  @Test
  void anEventIsNoOlderThanWhatOthersWroteBeforeIt() {
    attempt.agent.say("a");
    attempt.during(Duration.ofSeconds(2));
    rig.cancelUnheard();
    Instant cancelled = rig.clock.instant();
    attempt.during(GATHER);

    List<Instant> times =
        rig.chunks().stream()
            .flatMap(chunk -> chunk.events(EventCodec.RUNS).stream())
            .map(StoredEvent::timestamp)
            .toList();
    assertEquals(times.stream().sorted().toList(), times);
    assertEquals("task.cancel_requested", rig.types(STARTED).getFirst());
    assertEquals("model.delta", rig.types(STARTED).get(1));
    assertEquals(cancelled, times.get(STARTED + 1));
  }

  @Test
  void writesWhatIsPendingWhenASignOfLifeIsDue() {
    attempt.during(Duration.ofSeconds(Limits.HEARTBEAT_SECONDS - 1));
    attempt.agent.say("a");
    attempt.during(Duration.ofSeconds(1).plus(MOMENT));

    assertEquals(List.of("model.delta"), rig.types(STARTED));
  }

  @Test
  void writesSoonOnceSomebodyWatchesAndForAWhile() {
    attempt.agent.say("a");
    attempt.during(Duration.ofSeconds(2));
    rig.wake();
    attempt.during(LOOK);
    assertEquals(List.of("model.delta"), rig.types(STARTED));

    attempt.agent.say("b");
    attempt.during(AttemptRig.FLUSH.plus(MOMENT));
    assertEquals(List.of("model.delta", "model.delta"), rig.types(STARTED));

    attempt.during(Duration.ofSeconds(SharedLook.WATCHED_SECONDS));
    int before = rig.types(STARTED).size();
    attempt.agent.say("c");
    attempt.during(Duration.ofSeconds(1));

    assertEquals(before, rig.types(STARTED).size());
  }

  @Test
  void writesWhileAPersonIsToDecide() {
    attempt.agent.say("a");
    attempt.agent.ask(rig.question(1, ActionType.QUESTION, 3600));
    attempt.step();
    int asked = rig.types(STARTED).size();
    attempt.agent.say("b");
    attempt.during(AttemptRig.FLUSH.plus(MOMENT));

    assertEquals(asked + 1, rig.types(STARTED).size());
  }

  @Test
  void writesSoonWhichMessageTheAgentTook() {
    rig.say("message-1");
    attempt.during(LOOK);
    attempt.during(Duration.ofSeconds(SharedLook.WATCHED_SECONDS));
    AgentInput given = attempt.agent.given().getFirst();
    attempt.agent.took(given);
    attempt.during(AttemptRig.FLUSH.plus(MOMENT));

    assertEquals("process.input", rig.types(0).getLast());
  }
}
