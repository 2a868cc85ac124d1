package dev.runyard.core.artifact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.SessionSnapshots.Draft;
import dev.runyard.core.artifact.SessionSnapshots.Place;
import dev.runyard.core.artifact.SessionSnapshots.Restored;
import dev.runyard.core.artifact.SessionSnapshots.Saved;
import dev.runyard.core.ids.RunKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SessionSnapshotsTest {
  private static final String SESSION = "default/sessions/codex/session/s-1.json";
  private static final String ARCHIVES = "default/sessions/codex/archive/";
  private final FailingStore store = new FailingStore();
  private final SessionSnapshots states = new SessionSnapshots(store, Runnable::run);

  @Test
  void aSessionBeginsWithNothing() {
    assertEquals(new Restored.Nothing(false), restore(place(1)));
    assertEquals(new Restored.Nothing(false), states.open(elsewhere(1)));
    assertEquals(
        new Restored.Nothing(false), states.restore(place(1), "n-1", false, new Remembered()));
  }

  @Test
  void theNextRunRemembersWhatTheLastOneLeft() {
    save(place(1), "n-1", null, "first");

    Remembered memory = new Remembered();
    Restored.Session session = session(states.restore(place(2), null, false, memory));

    assertEquals("first", memory.text);
    assertEquals("n-1", session.nativeSession());
    assertFalse(session.behind());
  }

  @Test
  void aSessionIsFoundByTheAgentsOwnIdFromAnywhere() {
    save(place(1), "n-1", null, "first");
    assertEquals(new Restored.Nothing(false), restore(elsewhere(2)));

    Remembered memory = new Remembered();
    Restored.Session session = session(states.restore(elsewhere(3), "n-1", false, memory));

    assertEquals("first", memory.text);
    assertEquals("n-1", session.nativeSession());
    assertTrue(session.behind(), "run 2 left nothing");
    assertInstanceOf(
        Restored.Nothing.class, states.restore(place(4), "n-2", false, new Remembered()));
  }

  @Test
  void agentsAndTenantsHaveTheirOwn() {
    save(place(1), "n-1", null, "first");

    Place kind = new Place(run(2), "a-2", "pi", "s-1");
    Place tenant = new Place(new RunKey("other", run(2).runId()), "a-2", "codex", "s-1");

    for (Place other : new Place[] {kind, tenant}) {
      assertInstanceOf(Restored.Nothing.class, restore(other));
      assertInstanceOf(
          Restored.Nothing.class, states.restore(other, "n-1", false, new Remembered()));
    }
  }

  @Test
  void aRetryBeginsWhereItsFirstAttemptBegan() {
    save(place(1), "n-1", null, "before");
    Restored.Session first = session(restore(place(2)));
    SavedState began = first.began(run(2));
    assertNotNull(began);
    assertNull(began.open());
    save(place(2), "n-1", began, "failed");

    Remembered again = new Remembered();
    Restored.Session second = session(states.restore(place(2, "a-3"), null, false, again));

    assertEquals("before", again.text);
    assertEquals(began, second.began(run(2)));
  }

  @Test
  void aContinuationBeginsWhereItsRunStopped() {
    save(place(1), "n-1", null, "before");
    SavedState began = session(restore(place(2))).began(run(2));
    save(place(2), "n-1", began, "asked");

    Remembered memory = new Remembered();
    Restored.Session next = session(states.restore(place(2, "a-3"), null, true, memory));

    assertEquals("asked", memory.text);
    assertEquals(began, next.began(run(2)));
  }

  @Test
  void aFirstRunThatIsTriedAgainBeginsWithNothing() {
    save(place(1), "n-1", null, "failed");

    assertEquals(new Restored.Nothing(false), restore(place(1, "a-2")));
  }

  @Test
  void theNextRunIsWarnedOfOneThatWasLost() {
    restore(place(1));
    assertEquals(new Restored.Nothing(false), restore(place(1, "a-1b")), "its own retry");
    assertEquals(new Restored.Nothing(true), restore(place(2)));
    assertEquals(new Restored.Nothing(true), states.open(place(3)));

    states.settle(states.draftOfNothing(place(3)), true);

    assertEquals(new Restored.Nothing(false), restore(place(4)));
  }

  @Test
  void anAttemptThatIsNotItsRunsAnyMoreLeavesNothing() {
    save(place(1), "n-1", null, "first");
    Set<String> before = store.keys();
    restore(place(2));

    Draft draft = states.draft(place(2), "n-1", null, new Remembered("second"));
    assertInstanceOf(Saved.Kept.class, states.settle(draft, false));

    assertEquals(before, store.keys());
    assertEquals("first", remembered(place(3)));
  }

  @Test
  void onlyTheAttemptThatMarkedTheSessionReplacesIt() {
    save(place(1), "n-1", null, "first");
    restore(place(2));
    Draft late = states.draft(place(2), "n-1", null, new Remembered("late"));
    save(place(3), "n-1", null, "third");

    assertInstanceOf(Saved.Unreachable.class, states.settle(late, true));

    assertEquals("third", remembered(place(4)));
    Remembered named = new Remembered();
    states.restore(elsewhere(5), "n-1", false, named);
    assertEquals("third", named.text);
  }

  /// It saw its own mark when it read the session, and another attempt began before it wrote.
  @Test
  void anAttemptThatIsOvertakenWhileItEndsRemovesItsArchive() {
    restore(place(1));
    Draft late = states.draft(place(1), "n-1", null, new Remembered("late"));
    restore(place(1, "a-1b"));

    assertInstanceOf(Saved.Unreachable.class, states.settle(late, true));

    assertEquals(Set.of(), archives());
  }

  @Test
  void anAgentThatLeftNothingKeepsNothing() {
    states.open(place(1));

    Draft draft = states.draft(place(1), "n-1", null, new Remembered(""));
    assertInstanceOf(Saved.Kept.class, states.settle(draft, true));

    assertEquals(Set.of(SESSION), store.keys());
    assertEquals(new Restored.Nothing(false), restore(place(2)));
  }

  @Test
  void anAgentThatLeftNothingForgetsNothing() {
    save(place(1), "n-1", null, "first");
    restore(place(2));

    assertInstanceOf(Saved.Kept.class, states.settle(states.draftOfNothing(place(2)), true));

    assertEquals("first", remembered(place(3)));
  }

  @Test
  void whatIsTooLargeIsReportedAsLost() {
    states.open(place(1));
    Remembered large = new Remembered("large");
    large.bytesOver = 1;

    assertInstanceOf(
        Saved.TooLarge.class, states.settle(states.draft(place(1), "n-1", null, large), true));

    assertEquals(new Restored.Failed(SessionSnapshots.LOST), restore(place(2)));
    large.bytesOver = 0;
    restore(place(3));
    assertInstanceOf(
        Saved.Kept.class, states.settle(states.draft(place(3), "n-1", null, large), true));
  }

  @Test
  void anArchiveThatIsGoneOrBrokenIsLost() {
    save(place(1), "n-1", null, "first");
    String archive = ARCHIVES + "a-1.zip";
    store.put(archive, new byte[0]);
    assertEquals(new Restored.Failed(SessionSnapshots.LOST), restore(place(2)));

    store.delete(archive);
    assertEquals(new Restored.Failed(SessionSnapshots.LOST), restore(place(2)));
  }

  /// Another session may still name it.
  @Test
  void theArchiveOfAnotherSessionOfTheAgentRemains() {
    save(place(1), "n-1", null, "first");
    restore(place(2));
    save(place(2), "n-2", null, "second");

    assertEquals(Set.of(ARCHIVES + "a-1.zip", ARCHIVES + "a-2.zip"), archives());
    Remembered memory = new Remembered();
    session(states.restore(elsewhere(3), "n-1", false, memory));
    assertEquals("first", memory.text);
  }

  @Test
  void saysSoWhileTheStoreDoesNotAnswer() {
    store.fail(_ -> true);
    Restored failed = new Restored.Failed(SessionSnapshots.UNREACHABLE);

    assertEquals(failed, restore(place(1)));
    assertEquals(failed, states.open(place(1)));
    Draft draft = states.draft(place(1), "n-1", null, new Remembered("first"));
    assertInstanceOf(Saved.Unreachable.class, states.settle(draft, true));
    assertInstanceOf(Saved.Unreachable.class, states.settle(states.draftOfNothing(place(1)), true));
    store.fail(_ -> false);
    assertInstanceOf(Saved.Unreachable.class, states.settle(draft, true), "it saw no mark");
  }

  @Test
  void isUnreachableWhereTheStoreFailsWhileItIsKept() {
    restore(place(1));
    Draft draft = states.draft(place(1), "n-1", null, new Remembered("first"));
    store.fail(key -> key.equals(SESSION));

    assertInstanceOf(Saved.Unreachable.class, states.settle(draft, true));
  }

  @Test
  void anUnreadableStateIsNotTakenForNone() {
    store.put(SESSION, new byte[] {'x'});

    assertEquals(new Restored.Failed(SessionSnapshots.UNREACHABLE), restore(place(1)));
  }

  @Test
  void readsMarksThatNameTheRunAlone() {
    byte[] old =
        "{\"run_id\":\"\",\"native_session\":\"\",\"open\":\"%s\"}"
            .formatted(run(1).runId())
            .getBytes(StandardCharsets.UTF_8);
    store.put(SESSION, old);
    assertEquals(new Restored.Nothing(false), restore(place(1)));

    store.put(SESSION, old);
    assertEquals(new Restored.Nothing(true), restore(place(2)));
  }

  @Test
  void anAttemptThatIsOverMarksNothing() {
    states.open(place(1));
    SessionSnapshots over = states.unless(() -> true);

    Restored failed = new Restored.Failed(SessionSnapshots.UNREACHABLE);
    assertEquals(failed, over.restore(place(2), null, false, new Remembered()));
    assertEquals(failed, over.open(place(2)));

    Draft draft = states.draft(place(1), "n-1", null, new Remembered("first"));
    assertInstanceOf(Saved.Kept.class, states.settle(draft, true));
  }

  @Test
  void marksASessionAgainThatOthersWrite() {
    AtomicInteger writes = new AtomicInteger(SessionSnapshots.MARKS_MAX - 1);
    SessionSnapshots beside = states.unless(() -> overtaken(writes));
    assertEquals(
        new Restored.Nothing(false), beside.restore(place(1), null, false, new Remembered()));

    writes.set(SessionSnapshots.MARKS_MAX);
    assertEquals(
        new Restored.Failed(SessionSnapshots.UNREACHABLE),
        beside.restore(place(1), null, false, new Remembered()));
  }

  @Test
  void saysWhichSessionIsNotFound() {
    assertEquals("no session found", SessionSnapshots.notFound(true).message());
    assertEquals("session not found", SessionSnapshots.notFound(false).message());
  }

  /// Somebody else writes the session between an attempt's read and its write.
  private boolean overtaken(AtomicInteger writes) {
    if (writes.getAndDecrement() > 0) {
      byte[] other =
          "{\"run_id\":\"\",\"native_session\":\"%d\"}"
              .formatted(writes.get())
              .getBytes(StandardCharsets.UTF_8);
      store.put(SESSION, other);
    }
    return false;
  }

  /// An attempt that begins and ends.
  private void save(Place place, String session, @Nullable SavedState began, String text) {
    restore(place);
    assertInstanceOf(
        Saved.Kept.class,
        states.settle(states.draft(place, session, began, new Remembered(text)), true));
  }

  private Restored restore(Place place) {
    return states.restore(place, null, false, new Remembered());
  }

  private String remembered(Place place) {
    Remembered memory = new Remembered();
    session(states.restore(place, null, false, memory));
    return memory.text;
  }

  private static Restored.Session session(Restored restored) {
    return assertInstanceOf(Restored.Session.class, restored);
  }

  private Set<String> archives() {
    return store.keys().stream().filter(key -> key.endsWith(".zip")).collect(Collectors.toSet());
  }

  private static Place elsewhere(int run) {
    return new Place(run(run), "a-" + run, "codex", "another");
  }

  private static Place place(int run) {
    return place(run, "a-" + run);
  }

  private static Place place(int run, String attempt) {
    return new Place(run(run), attempt, "codex", "s-1");
  }

  private static RunKey run(int number) {
    return new RunKey("default", "019c0000-0000-7000-8000-%012d".formatted(number));
  }

  /// What an agent remembers: a text.
  private static final class Remembered implements SessionSnapshots.Memory {
    private String text;
    private int bytesOver;

    Remembered() {
      this("");
    }

    Remembered(String text) {
      this.text = text;
    }

    @Override
    public byte[] pack(int bytesMax) throws IOException {
      if (bytesOver > 0) {
        throw new IOException("more than " + bytesMax);
      }
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void unpack(byte[] archive) throws IOException {
      if (archive.length == 0) {
        throw new IOException("no archive");
      }
      text = new String(archive, StandardCharsets.UTF_8);
    }
  }
}
