package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunCommand;
import dev.runyard.functions.Twins;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// That the runner of a run learns that somebody reads its events.
final class AudienceTest {
  private static final String RUNNER = "r-1";

  private final Twins twins = new Twins();

  private RunFeeds feeds(Runnable pause) {
    return new RunFeeds(
        twins.log,
        twins.clock,
        (_, _, _) -> pause.run(),
        Duration.ofMillis(100),
        StreamRig.audience(twins),
        (_, _) -> {});
  }

  private Optional<String> mark() {
    return twins.wakeups().last(RUNNER);
  }

  @Test
  void whoWaitsForEventsWakesTheRunnerAtOnceAndAgainAfterAWhile() throws Exception {
    RunKey run = twins.running();
    RunFeeds feeds = feeds(() -> {});
    try (Tail tail = feeds.open(run, 0).orElseThrow()) {
      tail.next();
      assertEquals(Optional.empty(), mark());
      tail.pause(Instant.MAX);
      tail.next();
      tail.pause(Instant.MAX);
      Optional<String> first = mark();
      assertTrue(first.isPresent());

      twins.clock.advance(Duration.ofSeconds(Audience.AGAIN_SECONDS - 1));
      tail.pause(Instant.MAX);
      assertEquals(first, mark());

      twins.clock.advance(Duration.ofSeconds(1));
      tail.pause(Instant.MAX);
      assertNotEquals(first, mark());
    }
  }

  @Test
  void whoWasThereFirstWakesTheRunnerThatClaimsTheRun() throws Exception {
    RunKey run = twins.submitted();
    RunFeeds feeds =
        feeds(
            () -> {
              if (twins.runs().load(run).sequence() == 3) {
                twins
                    .runs()
                    .execute(
                        run, new RunCommand.Claim("a-1", RUNNER, "t-1", twins.clock.instant()));
              }
            });
    try (Tail tail = feeds.open(run, 0).orElseThrow()) {
      for (int i = 0; i < 4; i++) {
        tail.next();
        tail.pause(Instant.MAX);
      }
    }
    assertTrue(mark().isPresent());
  }

  @Test
  void whoTakesOnePageWakesTheRunnerToo() throws Exception {
    try (StreamRig rig = new StreamRig()) {
      RunKey run = rig.twins.running();
      rig.twins.report(run, new RunEvent.ModelDelta("a"));

      rig.get(StreamRig.events(run, "?wait=0"));

      assertTrue(rig.twins.wakeups().last(RUNNER).isPresent());
    }
  }

  @Test
  void whoReadsARunThatHasEndedWakesNobody() throws Exception {
    try (StreamRig rig = new StreamRig()) {
      RunKey run = rig.twins.running();
      rig.twins.complete(run);

      rig.get(StreamRig.events(run, "?wait=0"));

      assertEquals(Optional.empty(), rig.twins.wakeups().last(RUNNER));
    }
  }
}
