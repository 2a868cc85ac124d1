package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.session.SessionQueue.Turns;
import dev.runyard.core.submit.IdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class StoreExpiryTest {
  private static final RunKey RUN = SampleRun.key(1);
  private final StoreRig rig;

  StoreExpiryTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void removesEverythingWhoseTimeHasCome() {
    EmbeddedStore store = rig.store();
    store.events().append(SampleRun.output(RUN, 1, "text"));
    store.models().save(SampleRun.created(RUN, "session-1"));
    store.turns().write("acme", "session-1", new Turns(0, List.of("a")));
    store.artifacts().put("acme/object", new byte[] {1});
    rig.clock().advance(StoreRig.RETENTION.minusMillis(1));
    store.events().append(SampleRun.output(RUN, 2, "later"));

    assertEquals(0, store.expire());
    rig.clock().advance(Duration.ofMillis(1));
    assertEquals(5, store.expire(), "a chunk, a run, turns, an object and its part");
    assertEquals(0, store.expire());

    assertEquals(
        List.of(2L), store.events().chunksAfter(RUN, 0).stream().map(c -> c.first()).toList());
    assertEquals(Optional.empty(), store.models().snapshot(RUN));
    assertEquals(Turns.NONE, store.turns().read("acme", "session-1"));
    assertEquals(Optional.empty(), store.artifacts().get("acme/object"));
  }

  @Test
  void removesKeysAndMessagesAfterTheirOwnTime() {
    EmbeddedStore store = rig.store();
    RunQueue queue = store.queue();
    queue.send(RUN, 0);
    store
        .keys()
        .bind(new IdempotencyStore.Claim("acme", "key", "11", RUN.runId(), rig.clock().instant()));

    rig.clock().advance(Duration.ofSeconds(IdempotencyStore.KEY_SECONDS));
    assertEquals(1, store.expire());
    rig.clock().advance(Duration.ofDays(7));
    assertEquals(1, store.expire());

    assertEquals(List.of(), queue.receive(1, 0));
  }

  @Test
  void keepsWhatIsWrittenAgain() {
    EmbeddedStore store = rig.store();
    store.models().save(SampleRun.created(RUN, "session-1"));
    store.artifacts().put("acme/object", new byte[] {1});
    rig.clock().advance(StoreRig.RETENTION.minusDays(1));
    store.models().save(SampleRun.cancelled(RUN, "session-1"));
    store.artifacts().put("acme/object", new byte[] {2});
    rig.clock().advance(Duration.ofDays(2));

    assertEquals(1, store.expire(), "the part of the object that was replaced");

    assertTrue(store.models().snapshot(RUN).isPresent());
    assertEquals(2, store.artifacts().get("acme/object").orElseThrow()[0]);
  }

  @Test
  void removesABoundedNumberAtATime() {
    EventLog log = rig.store().events();
    int chunks = StoreExpiry.ROWS_MAX + 20;
    for (int at = 1; at <= chunks; at++) {
      log.append(SampleRun.output(RUN, at, "text"));
    }
    byte[] large = new byte[(StoreExpiry.PARTS_MAX + 1) * SqliteArtifactStore.PART_BYTES_MAX];
    rig.store().artifacts().put("acme/object", large);
    rig.store().artifacts().delete("acme/object");
    rig.clock().advance(StoreRig.RETENTION);

    assertEquals(StoreExpiry.ROWS_MAX + StoreExpiry.PARTS_MAX, rig.store().expire());
    assertEquals(20 + 1, rig.store().expire());
    assertEquals(0, rig.store().expire());
  }

  /// Positions are never used twice, whatever was removed: a consumer would miss what is there.
  @Test
  void whatComesAfterIsANewChange() {
    rig.store().events().append(SampleRun.state(RUN, 1, "queued", false));
    rig.store().changes().keep("one", 1);
    rig.clock().advance(StoreRig.RETENTION);
    rig.store().expire();

    rig.reopened().events().append(SampleRun.state(SampleRun.key(2), 1, "queued", false));

    assertEquals(
        List.of(2L),
        rig.store().changes().after(1, ChangeFilter.STATE, 10).stream()
            .map(StreamChange::position)
            .toList());
  }
}
