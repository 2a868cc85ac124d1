package dev.runyard.runner.left;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.KeptLedger;
import dev.runyard.core.artifact.LeftWorkspace;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.thread.ThreadOrigin;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.kept.KeptFiles;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// What a session has at each point at which its runner may die.
@Execution(ExecutionMode.CONCURRENT)
final class LeftFilesTest {
  private static final String SESSION = "session";
  private static final RunKey FIRST = run(1);
  private static final RunKey SECOND = run(2);
  private static final RunKey THIRD = run(3);
  private static final int LARGE_BYTES = 20 * 1024 * 1024;

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final CountedStore store = new CountedStore(new MemoryArtifactStore());
  private final Path folder;
  private final Path from;
  private int restored;

  LeftFilesTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.from = Files.createDirectory(folder.resolve("from"));
  }

  @Test
  void hasWhatTheLastFinishedRunLeftWheneverTheNextOneDies() throws IOException {
    large(1);
    leave(FIRST, 1);
    large(2);
    store.dieAfter(Integer.MAX_VALUE);
    int calls = store.calls();
    leave(SECOND, 1);
    int all = store.calls() - calls;
    assertTrue(all > 6, "packs, list and pointers");

    for (int n = 0; n < all; n++) {
      large(3 + n);
      int before = n;
      store.dieAfter(n);
      assertThrows(PortUnavailable.class, () -> leave(THIRD, 1), () -> "after " + before);
      store.dieAfter(Integer.MAX_VALUE);

      assertEquals(2, begun(run(4)), "after " + n);
    }
  }

  @Test
  void hasWhatAnswersThatWereLostHaveStored() throws IOException {
    large(1);
    leave(FIRST, 1);
    large(2);
    store.loseAnswers();
    assertThrows(PortUnavailable.class, () -> leave(SECOND, 1));
    store.dieAfter(Integer.MAX_VALUE);

    assertEquals(1, begun(THIRD));
    leave(SECOND, 1);
    assertEquals(2, begun(THIRD));
  }

  @Test
  void beginsAgainWhereTheFirstAttemptBegan() throws IOException {
    large(1);
    leave(FIRST, 1);
    large(2);
    leave(SECOND, 1);

    assertEquals(1, begun(SECOND));
    large(3);
    leave(SECOND, 2);
    assertEquals(1, begun(SECOND));
    assertEquals(3, begun(THIRD));
  }

  @Test
  void hasTheStoreKeepWhatARunBeganWithWhileItWaits() throws IOException {
    large(1);
    leave(FIRST, 1);
    clock.advance(Duration.ofDays(2));
    Set<String> all = store.written();
    LeftFiles files = files(SECOND);

    files.refresh(files.ofSession().orElseThrow());

    all.remove("acme/workspaces/kept.json");
    assertEquals(all, store.written());
    assertEquals(1, begun(SECOND));
  }

  @Test
  void leavesNothingOnceAnotherHas() throws IOException {
    large(1);
    LeftFiles late = files(FIRST);
    LeftFiles.Draft draft = draft(late, 1);
    large(2);
    leave(SECOND, 1);

    assertFalse(late.settle(draft));

    assertEquals(2, begun(THIRD));
  }

  @Test
  void removesTheListsOfAnAttemptThatHasLostItsRun() throws IOException {
    large(1);
    LeftFiles late = files(FIRST);
    late.forget(draft(late, 1));

    assertEquals(Optional.empty(), files(SECOND).ofSession());
    assertTrue(store.keys().stream().noneMatch(key -> key.contains("/lists/")));
  }

  @Test
  void saysThatTooLargeFilesAreNotKept() throws IOException {
    large(1);
    leave(FIRST, 1);
    try (RandomAccessFile sparse = new RandomAccessFile(from.resolve("large").toFile(), "rw")) {
      sparse.setLength(LeftFiles.LEFT_BYTES_MAX + 1);
    }

    leave(SECOND, 1);

    assertFalse(files(THIRD).ofSession().orElseThrow().kept());
    assertTrue(files(THIRD).ofRun(FIRST.runId()).orElseThrow().kept());
  }

  @Test
  void countsWhatItStoresForTheTenantAndStopsThere() throws IOException {
    large(1);
    leave(FIRST, 1);
    String counted = ledger();
    assertTrue(counted.matches("\\{\"2026-03-01\":" + LARGE_BYTES / 1000 + "\\d+\\}"), counted);
    leave(SECOND, 1);
    assertEquals(counted, ledger());

    new KeptLedger(store, Quotas.NONE, clock).add("acme", KeptLedger.TENANT_KEPT_BYTES_MAX);
    leave(THIRD, 1);

    assertFalse(files(run(4)).ofSession().orElseThrow().kept());
    assertTrue(files(run(4)).ofRun(SECOND.runId()).orElseThrow().kept());
  }

  private String ledger() {
    byte[] there = store.get("acme/workspaces/kept.json").orElseThrow();
    return new String(there, StandardCharsets.UTF_8);
  }

  @Test
  void isWholeForAsLongAsARunOfADayLater() throws IOException {
    large(1);
    leave(FIRST, 1);
    clock.advance(Duration.ofDays(1).plusMillis(1));
    store.removeAll(key -> key.contains("/lists/"));

    leave(SECOND, 1);

    assertEquals(1, begun(THIRD));
  }

  @Test
  void givesNoOtherTenantAnything() throws IOException {
    large(1);
    leave(FIRST, 1);

    LeftFiles other =
        new LeftFiles(
            store,
            new KeptLedger(store, Quotas.NONE, clock),
            clock,
            new RunKey("other", SECOND.runId()),
            SESSION);

    assertEquals(Optional.empty(), other.ofSession());
    assertEquals(Optional.empty(), other.ofRun(FIRST.runId()));
  }

  @Test
  void beginsWithWhatTheTurnLeftThatTheSessionGoesOnFrom() throws IOException {
    large(1);
    leave(FIRST, 1);
    large(2);
    leave(SECOND, 1);
    ThreadOrigin first = new ThreadOrigin("turn", FIRST.runId(), List.of(SECOND.runId()));

    assertEquals(1, begun(THIRD, first));
    large(3);
    leave(THIRD, 1);
    assertEquals(3, begun(run(4), first), "what a later turn left counts");
    assertEquals(1, begun(THIRD, first), "a later attempt begins like the first");
  }

  @Test
  void beginsWithWhatWasThereBeforeWhereThatTurnLeftNothing() throws IOException {
    large(1);
    leave(FIRST, 1);
    large(3);
    leave(THIRD, 1);
    large(4);
    leave(run(4), 1);
    List<String> undone = List.of(run(4).runId(), THIRD.runId());

    assertEquals(1, begun(run(5), new ThreadOrigin("turn", SECOND.runId(), undone)));
  }

  @Test
  void passesOverWhatWasUndoneBeforeThatTurnCame() throws IOException {
    large(1);
    leave(FIRST, 1);
    large(2);
    leave(SECOND, 1);
    large(4);
    leave(run(4), 1);
    List<String> undone = List.of(run(4).runId(), FIRST.runId());

    assertEquals(2, begun(run(5), new ThreadOrigin("turn", THIRD.runId(), undone)));
  }

  /// What a slow store holds up is not waited for without end.
  @Test
  void givesUpWhatIsStoredTooSlowly() throws IOException {
    large(1);
    leave(FIRST, 1);
    String counted = ledger();
    large(2);
    int calls = store.calls();
    store.onPut(() -> clock.advance(Duration.ofSeconds(KeptFiles.KEEPING_SECONDS_MAX / 2)));

    assertThrows(PortUnavailable.class, () -> draft(files(SECOND), 1));

    assertTrue(store.calls() - calls < 10);
    assertNotEquals(counted, ledger(), "what is there takes room");
    store.onPut(() -> {});
    assertEquals(1, begun(THIRD));
  }

  private void large(int mark) throws IOException {
    byte[] content = new byte[LARGE_BYTES];
    new Random(mark).nextBytes(content);
    Files.write(from.resolve("large"), content);
    Files.writeString(from.resolve("mark"), String.valueOf(mark));
  }

  private void leave(RunKey run, int attempt) {
    LeftFiles files = files(run);
    assertTrue(files.settle(draft(files, attempt)));
  }

  private LeftFiles.Draft draft(LeftFiles files, int attempt) {
    Origin nowhere = new Origin(folder.resolve("git"), "none", from);
    return files.keep(attempt, "attempt-" + attempt, nowhere, StoredFiles.AS_THEY_ARE);
  }

  /// Which files a run begins with.
  private int begun(RunKey run) throws IOException {
    return begun(run, ThreadOrigin.NONE);
  }

  private int begun(RunKey run, ThreadOrigin base) throws IOException {
    LeftFiles files = files(run);
    LeftWorkspace left = files.ofSession(base).orElseThrow();
    Path into = Files.createDirectory(folder.resolve("into-" + restored++));
    files.restore(left, into);
    try (Stream<Path> found = Files.list(into)) {
      assertEquals(2, found.count());
    }
    assertEquals(LARGE_BYTES, Files.size(into.resolve("large")));
    return Integer.parseInt(Files.readString(into.resolve("mark")));
  }

  private LeftFiles files(RunKey run) {
    return new LeftFiles(store, new KeptLedger(store, Quotas.NONE, clock), clock, run, SESSION);
  }

  private static RunKey run(int number) {
    return new RunKey("acme", "00000000-0000-7000-8000-00000000000" + number);
  }
}
