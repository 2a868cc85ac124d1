package dev.runyard.core.artifact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.artifact.SessionSnapshots.Place;
import dev.runyard.core.artifact.SessionSnapshots.Restored;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryArtifactStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Session files of turns before the newest, for threads that go on from one of them.
final class EarlierSessionsTest {
  private final MemoryArtifactStore store = new MemoryArtifactStore();
  private final SessionSnapshots states = new SessionSnapshots(store, Runnable::run);

  @Test
  void keepsWhatTheLastTurnsLeftAndNoMore() {
    int turns = SessionSnapshots.EARLIER_MAX + 3;
    IntStream.rangeClosed(1, turns).forEach(turn -> take(states, turn, "said " + turn));

    List<SavedState> line = line();
    assertEquals(SessionSnapshots.EARLIER_MAX + 1, line.size());
    assertEquals(id(turns), line.getFirst().runId());
    assertEquals(id(3), line.getLast().runId());
    for (SavedState state : line) {
      assertEquals(true, store.get(String.valueOf(state.archive())).isPresent(), state.runId());
    }
    assertEquals(true, store.get("default/sessions/codex/archive/a-2.zip").isEmpty());
  }

  @Test
  void aTurnBeginsWithWhatStandsAndUndoneTurnsAreForgotten() {
    IntStream.rangeClosed(1, 4).forEach(turn -> take(states, turn, "said " + turn));
    SessionSnapshots back = states.without(Set.of(id(3), id(4))::contains);

    assertEquals("said 2", take(back, 5, "said 5"));

    assertEquals(List.of(id(5), id(2), id(1)), line().stream().map(SavedState::runId).toList());
    assertEquals(true, store.get("default/sessions/codex/archive/a-4.zip").isEmpty());
    assertEquals("said 5", take(back, 6, "said 6"), "the next one goes on from that");
  }

  @Test
  void aRetryOfATurnBeginsWithWhatStandsToo() {
    IntStream.rangeClosed(1, 3).forEach(turn -> take(states, turn, "said " + turn));
    SessionSnapshots back = states.without(id(3)::equals);
    take(back, 4, "failed");

    Memory memory = new Memory("");
    assertInstanceOf(Restored.Session.class, back.restore(place(4, "a-4b"), null, false, memory));
    assertEquals("said 2", memory.text);
  }

  @Test
  void aTurnThatLeavesNothingUndoesNothing() {
    IntStream.rangeClosed(1, 2).forEach(turn -> take(states, turn, "said " + turn));
    SessionSnapshots back = states.without(id(2)::equals);
    back.restore(place(3, "a-3"), null, false, new Memory(""));
    back.settle(back.draftOfNothing(place(3, "a-3")), true);

    assertEquals("said 1", take(back, 4, "said 4"));
  }

  @Test
  void anAgentWhoseTurnsAreAllUndoneBeginsAnew() {
    take(states, 1, "said 1");

    assertEquals(
        new Restored.Nothing(false),
        states.without(id(1)::equals).restore(place(2, "a-2"), null, false, new Memory("")));
  }

  /// Takes a turn, and returns what its agent remembered.
  private static String take(SessionSnapshots states, int turn, String says) {
    Place place = place(turn, "a-" + turn);
    Memory memory = new Memory("");
    @Nullable SavedState began =
        switch (states.restore(place, null, false, memory)) {
          case Restored.Session session -> session.began(place.run());
          case Restored.Nothing _ -> null;
          case Restored.Failed failed -> throw new AssertionError(failed);
        };
    var _ = states.settle(states.draft(place, "n-1", began, new Memory(says)), true);
    return memory.text;
  }

  private List<SavedState> line() {
    return new SavedStates(store).line("default", "codex", "s-1");
  }

  private static Place place(int turn, String attempt) {
    return new Place(new RunKey("default", id(turn)), attempt, "codex", "s-1");
  }

  private static String id(int turn) {
    return "019c0000-0000-7000-8000-%012d".formatted(turn);
  }

  private static final class Memory implements SessionSnapshots.Memory {
    private String text;

    Memory(String text) {
      this.text = text;
    }

    @Override
    public byte[] pack(int bytesMax) {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void unpack(byte[] archive) {
      text = new String(archive, StandardCharsets.UTF_8);
    }
  }
}
