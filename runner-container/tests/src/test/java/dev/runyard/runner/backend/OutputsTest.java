package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.problem.PortUnavailable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OutputsTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private static final String LARGE = "é".repeat(Bounds.MESSAGE_BYTES_MAX);
  private static final int LARGE_BYTES = 2 * Bounds.MESSAGE_BYTES_MAX;

  private final MemoryArtifactStore store = new MemoryArtifactStore();
  private final Outputs outputs = Outputs.in(store, RUN, "a1");

  @Test
  void keepsWhatAPreviewHasNoRoomFor() {
    Outputs.Spilled spilled = outputs.spill("c", LARGE);

    assertEquals("out1-a1", spilled.ref());
    assertEquals(
        List.of(
            new RunEvent.OutputSpilled(
                "out1-a1", "c", LARGE_BYTES, Digest.hex(LARGE), StoredOutput.CONTENT_TYPE)),
        spilled.events());
    assertEquals(Optional.of(LARGE), kept("out1-a1"));
    assertEquals("out2-a1", outputs.spill("d", LARGE).ref());
  }

  @Test
  void keepsNothingThatAPreviewShows() {
    assertEquals(Outputs.Spilled.NOTHING, outputs.spill("c", "x".repeat(Bounds.MESSAGE_BYTES_MAX)));
    assertEquals(0, store.keys().size());
  }

  @Test
  void keepsTheBeginningOfMoreThanItMay() {
    String more = "x".repeat(StoredOutput.OUTPUT_BYTES_MAX + 7);

    assertEquals(
        new RunEvent.OutputTruncated("tool output", more.length(), StoredOutput.OUTPUT_BYTES_MAX),
        outputs.spill("c", more).events().getLast());
    assertEquals(StoredOutput.OUTPUT_BYTES_MAX, kept("out1-a1").map(String::length).orElseThrow());
  }

  @Test
  void saysWhatIsLostWhereTheStoreDoesNotAnswerAndStopsAsking() {
    Deaf deaf = new Deaf();
    Outputs lost = Outputs.in(deaf, RUN, "a1");
    for (int i = 0; i < Outputs.FAILURES_MAX + 2; i++) {
      Outputs.Spilled spilled = lost.spill("c", LARGE);
      assertNull(spilled.ref());
      assertEquals(
          List.of(
              new RunEvent.OutputTruncated("tool output", LARGE_BYTES, Bounds.MESSAGE_BYTES_MAX)),
          spilled.events());
    }
    assertEquals(Outputs.FAILURES_MAX, deaf.calls);
  }

  @Test
  void comesWithAsManyEventsWhetherItIsKeptOrNot() {
    Outputs lost = Outputs.in(new Deaf(), RUN, "a1");
    for (String output : List.of("x", LARGE, "y".repeat(StoredOutput.OUTPUT_BYTES_MAX + 1))) {
      assertEquals(
          outputs.spill("c", output).events().size(), lost.spill("c", output).events().size());
    }
  }

  @Test
  void keepsSoManyBytesAndNoMore() {
    String most = "x".repeat(StoredOutput.OUTPUT_BYTES_MAX);
    int fits = StoredOutput.OUTPUTS_BYTES_MAX / StoredOutput.OUTPUT_BYTES_MAX;
    for (int i = 0; i < fits; i++) {
      assertNotEquals(null, outputs.spill("c", most).ref());
    }
    assertNull(outputs.spill("c", most).ref());
    assertEquals(fits, store.keys().size());
  }

  @Test
  void keepsSoManyOutputsAndNoMore() {
    for (int i = 0; i < StoredOutput.OUTPUTS_MAX; i++) {
      assertEquals("out%d-a1".formatted(i + 1), outputs.spill("c", LARGE).ref());
    }
    assertNull(outputs.spill("c", LARGE).ref());
  }

  private Optional<String> kept(String id) {
    return store
        .get(new StoredOutput(RUN, id).key())
        .map(content -> new String(content, StandardCharsets.UTF_8));
  }

  private static final class Deaf implements ArtifactStore {
    private int calls;

    @Override
    public void put(String key, byte[] content) {
      calls++;
      throw new PortUnavailable("no answer", new IllegalStateException());
    }

    @Override
    public Optional<byte[]> get(String key) {
      return Optional.empty();
    }

    @Override
    public Optional<Versioned> find(String key) {
      throw new PortUnavailable("deaf");
    }

    @Override
    public boolean replace(String key, Optional<String> version, byte[] content) {
      throw new PortUnavailable("deaf");
    }

    @Override
    public void delete(String key) {}
  }
}
