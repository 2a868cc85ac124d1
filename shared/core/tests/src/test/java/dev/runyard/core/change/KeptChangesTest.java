package dev.runyard.core.change;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryLargeObjects;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class KeptChangesTest {
  private static final RunKey RUN = new RunKey("acme", "0190a1b2-c3d4-7000-8000-000000000001");
  private static final RunKey OTHER = new RunKey("acme", "0190a1b2-c3d4-7000-8000-000000000002");
  private static final KeptObject PATCH =
      new KeptObject("patch", "changes.patch", 3, "", "text/x-patch");
  private static final KeptObject WHOLE =
      new KeptObject("whole", "whole.patch", 3, "", "text/x-patch");

  private final ContestedStore store = new ContestedStore();
  private final KeptChanges changes = new KeptChanges(store);

  @Test
  void findsWhatAnAttemptLeftOnceItIsNamed() {
    KeptChange change = change(1, null);
    changes.put(RUN, change.attemptId(), "patch", text("+ a"));
    assertTrue(changes.find(RUN).isEmpty(), "before it is named");

    assertTrue(changes.name(RUN, change));

    assertEquals(Optional.of(change), changes.find(RUN));
    assertArrayEquals(text("+ a"), changes.content(RUN, change, PATCH).orElseThrow());
    assertTrue(changes.find(OTHER).isEmpty(), "of another run");
    assertTrue(changes.content(OTHER, change, PATCH).isEmpty(), "of another run");
    assertTrue(changes.content(RUN, change(2, null), PATCH).isEmpty(), "of another attempt");
  }

  @Test
  void keepsTheChangeOfTheLatestAttempt() {
    KeptChange second = change(2, null);

    assertTrue(changes.name(RUN, change(1, null)));
    assertTrue(changes.name(RUN, second));
    assertTrue(changes.name(RUN, second), "told once more");
    assertFalse(changes.name(RUN, change(1, null)), "told late");

    assertEquals(Optional.of(second), changes.find(RUN));
  }

  @Test
  void namesAChangeThoughAnEarlierAttemptWritesAtTheSameTime() {
    KeptChange third = change(3, null);
    store.contested(KeptChanges.bytes(change(1, null)));
    store.contested(KeptChanges.bytes(change(2, null)));

    assertTrue(changes.name(RUN, third));

    assertEquals(Optional.of(third), changes.find(RUN));
  }

  @Test
  void givesWayToALaterAttemptThatWritesAtTheSameTime() {
    store.contested(KeptChanges.bytes(change(4, null)));

    assertFalse(changes.name(RUN, change(3, null)));

    assertEquals(Optional.of(change(4, null)), changes.find(RUN));
  }

  @Test
  void givesUpWhileOthersKeepWriting() {
    for (int attempt = 1; attempt <= 3; attempt++) {
      byte[] other = KeptChanges.bytes(change(attempt, null));
      store.contested(other);
    }

    assertThrows(PortUnavailable.class, () -> changes.name(RUN, change(9, null)));
  }

  @Test
  void forgetsAnObject() {
    KeptChange change = change(1, null);
    changes.put(RUN, change.attemptId(), "patch", text("+ a"));

    changes.forget(RUN, change.attemptId(), "patch");

    assertTrue(changes.content(RUN, change, PATCH).isEmpty());
    assertEquals(Set.of(), store.keys());
  }

  @Test
  void givesAClientALargeObjectUnderItsOwnName() throws IOException {
    SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
    MemoryLargeObjects large = new MemoryLargeObjects(store, clock);
    KeptChange change = change(1, null);
    KeptObject report = new KeptObject("artifact-1", "out/report.html", 3, "", "text/html");
    assertFalse(KeptChanges.holds(large, RUN, change, report));

    KeptChanges.put(large, RUN, change.attemptId(), "artifact-1", content(text("<p>")));

    assertTrue(KeptChanges.holds(large, RUN, change, report));
    assertFalse(KeptChanges.holds(large, OTHER, change, report));
    String address =
        KeptChanges.address(large, RUN, change, report, clock.instant().plusSeconds(60));
    MemoryLargeObjects.Got got = large.get(address).orElseThrow();
    assertArrayEquals(text("<p>"), got.content());
    assertEquals(new LargeObjects.Label("out/report.html", "text/html"), got.label());
    clock.advance(Duration.ofSeconds(60));
    assertTrue(large.get(address).isEmpty(), "after its time");
  }

  @Test
  void storesTheListAndThePatchesOnceMore() {
    KeptChange change =
        change(1, new WholeChange("https://h/r", null, "c", List.of(), null, List.of(), 1, WHOLE));
    changes.put(RUN, change.attemptId(), "patch", text("+ a"));
    changes.put(RUN, change.attemptId(), "whole", text("+ b"));
    changes.put(RUN, change.attemptId(), "artifact-1", text("<p>"));
    changes.name(RUN, change);
    String folder = "acme/runs/" + RUN.runId() + "/changes/";
    store.writes().clear();

    changes.refresh(RUN);

    assertEquals(
        List.of(folder + "list.json", folder + "attempt-1/patch", folder + "attempt-1/whole"),
        store.writes());
    assertEquals(Optional.of(change), changes.find(RUN));
    assertArrayEquals(text("+ a"), changes.content(RUN, change, PATCH).orElseThrow());
  }

  @Test
  void storesNothingOnceMoreThatIsNotThere() {
    changes.refresh(RUN);
    assertEquals(List.of(), store.writes());

    changes.name(RUN, change(1, null));
    store.writes().clear();
    changes.refresh(RUN);

    assertEquals(1, store.writes().size(), "the list alone");
    assertTrue(changes.content(RUN, change(1, null), PATCH).isEmpty());
  }

  @Test
  void tellsWhatBecameOfPublishing() {
    Publication first =
        new Publication(
            RUN.runId(),
            "agent/1",
            null,
            false,
            null,
            new Failure("rejected", Category.CALLER, "x"));
    Publication second =
        new Publication(
            RUN.runId(), "agent/1", "c", true, new Publication.PullRequest(7, null), null);
    assertTrue(changes.findPublication(RUN).isEmpty());

    changes.published(RUN, first);
    assertEquals(Optional.of(first), changes.findPublication(RUN));
    changes.published(RUN, second);

    assertEquals(Optional.of(second), changes.findPublication(RUN));
    assertTrue(changes.findPublication(OTHER).isEmpty());
    assertTrue(changes.find(RUN).isEmpty(), "it is no change");
  }

  @Test
  void tellsWhatBecameOfPublishingThroughAStoreOfItsOwn() {
    MemoryArtifactStore patient = new MemoryArtifactStore();

    new KeptChanges(store, patient)
        .published(RUN, new Publication(RUN.runId(), "agent/1", "c", true, null, null));

    assertEquals(List.of(), store.writes());
    assertTrue(new KeptChanges(patient).findPublication(RUN).isPresent());
  }

  @Test
  void cannotReadWhatSomethingElseWrote() {
    store.put("acme/runs/" + RUN.runId() + "/changes/list.json", text("{"));
    store.put("acme/runs/" + RUN.runId() + "/changes/publication.json", text("{"));

    assertThrows(PortUnavailable.class, () -> changes.find(RUN));
    assertThrows(PortUnavailable.class, () -> changes.findPublication(RUN));
  }

  private static KeptChange change(int attempt, @Nullable WholeChange whole) {
    return new KeptChange(
        attempt,
        "attempt-" + attempt,
        "c0ffee",
        List.of(new ChangedFile("src/a", ChangedFile.Kind.ADDED, null, "100644", null, 1L, 0L)),
        1,
        1,
        0,
        PATCH,
        null,
        List.of(),
        List.of(new LeftOut("b", LeftOut.Reason.SECRET)),
        1,
        whole);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static LargeObjects.Content content(byte[] bytes) {
    return new LargeObjects.Content() {
      @Override
      public long bytes() {
        return bytes.length;
      }

      @Override
      public String sha256() {
        return HexFormat.of().formatHex(Digest.of(bytes));
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(bytes);
      }
    };
  }
}
