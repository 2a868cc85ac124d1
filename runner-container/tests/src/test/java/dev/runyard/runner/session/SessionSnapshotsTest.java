package dev.runyard.runner.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.SavedState;
import dev.runyard.core.artifact.SessionSnapshots;
import dev.runyard.core.artifact.SessionSnapshots.Place;
import dev.runyard.core.artifact.SessionSnapshots.Restored;
import dev.runyard.core.artifact.SessionSnapshots.Saved;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionSnapshotsTest {
  private static final Path STATE = Path.of("cli", "sessions");
  private static final String FILE = "cli/sessions/2026/one.jsonl";
  private final MemoryArtifactStore store = new MemoryArtifactStore();
  private final SessionSnapshots states = new SessionSnapshots(store, Runnable::run);
  private final Path folder;
  private int homes;

  SessionSnapshotsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void beginsWithNothing() throws IOException {
    assertInstanceOf(Restored.Nothing.class, states.restore(place(1), null, false, memory(home())));
    assertInstanceOf(
        Restored.Nothing.class, states.restore(place(1), "n-1", false, memory(home())));
  }

  @Test
  void givesTheNextRunWhatTheLastOneLeft() throws IOException {
    save(place(1), "n-1", null, "first");

    Path home = home();
    assertEquals(
        "n-1", session(states.restore(place(2), null, false, memory(home))).nativeSession());
    assertEquals("first", Files.readString(home.resolve(FILE)));
  }

  @Test
  void findsASessionByTheAgentsOwnIdFromAnywhere() throws IOException {
    save(place(1), "n-1", null, "first");

    Place other = new Place(run(2), "a-2", "codex", "another");
    assertInstanceOf(Restored.Nothing.class, states.restore(other, null, false, memory(home())));
    Path home = home();
    assertEquals("n-1", session(states.restore(other, "n-1", false, memory(home))).nativeSession());
    assertEquals("first", Files.readString(home.resolve(FILE)));
  }

  @Test
  void keepsKindsOfAgentsAndTenantsApart() throws IOException {
    save(place(1), "n-1", null, "first");

    Place kind = new Place(run(2), "a-2", "pi", "s-1");
    Place tenant = new Place(new RunKey("other", run(2).runId()), "a-2", "codex", "s-1");
    assertInstanceOf(Restored.Nothing.class, states.restore(kind, "n-1", false, memory(home())));
    assertInstanceOf(Restored.Nothing.class, states.restore(tenant, "n-1", false, memory(home())));
  }

  @Test
  void aRunThatIsTriedAgainBeginsWhereItsFirstAttemptBegan() throws IOException {
    save(place(1), "n-1", null, "before");
    Restored.Session began = session(states.restore(place(2), null, false, memory(home())));
    save(place(2, "a-2"), "n-1", began.began(run(2)), "failed");

    Path again = home();
    Restored.Session second = session(states.restore(place(2), null, false, memory(again)));
    assertEquals("before", Files.readString(again.resolve(FILE)));
    save(place(2, "a-3"), "n-1", second.began(run(2)), "done");

    Path next = home();
    session(states.restore(place(3), null, false, memory(next)));
    assertEquals("done", Files.readString(next.resolve(FILE)));
  }

  @Test
  void aRunThatContinuesBeginsWhereItStopped() throws IOException {
    save(place(1), "n-1", null, "before");
    Restored.Session began = session(states.restore(place(2), null, false, memory(home())));
    save(place(2, "a-2"), "n-1", began.began(run(2)), "asked");

    Path home = home();
    session(states.restore(place(2), null, true, memory(home)));
    assertEquals("asked", Files.readString(home.resolve(FILE)));
  }

  @Test
  void aFirstRunThatIsTriedAgainBeginsWithNothing() throws IOException {
    save(place(1), "n-1", null, "failed");

    assertInstanceOf(Restored.Nothing.class, states.restore(place(1), null, false, memory(home())));
  }

  @Test
  void warnsTheNextRunOfOneThatWasLost() throws IOException {
    assertEquals(
        new Restored.Nothing(false), states.restore(place(1), null, false, memory(home())));
    assertEquals(
        new Restored.Nothing(false),
        states.restore(place(1), null, false, memory(home())),
        "again");
    assertEquals(new Restored.Nothing(true), states.restore(place(2), null, false, memory(home())));
    save(place(2, "a-2"), "n-1", null, "second");
    assertFalse(session(states.restore(place(3), null, false, memory(home()))).behind());

    assertTrue(
        session(states.restore(place(4), null, false, memory(home()))).behind(), "3 left nothing");
    states.settle(states.draftOfNothing(place(4)), true);
    assertFalse(session(states.restore(place(5), null, false, memory(home()))).behind(), "4 ended");
  }

  @Test
  void marksASessionThatBegins() throws IOException {
    assertEquals(new Restored.Nothing(false), states.open(place(1)));

    assertEquals(new Restored.Nothing(true), states.restore(place(2), null, false, memory(home())));
  }

  @Test
  void leavesNothingOfAnAttemptThatIsNotTheRunsAnyMore() throws IOException {
    save(place(1), "n-1", null, "first");
    Set<String> before = store.keys();
    states.restore(place(2), null, false, memory(home()));
    Path home = home();
    write(home, "second");
    states.settle(states.draft(place(2), "n-1", null, memory(home)), false);

    assertEquals(before, store.keys());
    assertEquals(
        "n-1", session(states.restore(place(3), null, false, memory(home))).nativeSession());
    assertEquals("first", Files.readString(home.resolve(FILE)));
  }

  @Test
  void keepsTheTimesOfFilesAndNoLinks() throws IOException {
    Path home = home();
    write(home, "one");
    FileTime written = FileTime.fromMillis(1_700_000_000_000L);
    Files.setLastModifiedTime(home.resolve(FILE), written);
    Files.writeString(folder.resolve("secret"), "secret");
    Files.createSymbolicLink(home.resolve(STATE).resolve("link"), folder.resolve("secret"));
    states.open(place(1));
    left(place(1), "n-1", null, home);

    Path next = home();
    states.restore(place(2), null, false, memory(next));
    assertEquals(written, Files.getLastModifiedTime(next.resolve(FILE)));
    assertFalse(Files.exists(next.resolve(STATE).resolve("link")));
  }

  @Test
  void keepsOnlyWhatTheBackendNames() throws IOException {
    Path home = home();
    write(home, "one");
    Files.writeString(home.resolve("cli").resolve("auth.json"), "secret");
    states.open(place(1));
    List<Path> kept = List.of(STATE, Path.of("not-there"));
    states.settle(states.draft(place(1), "n-1", null, new FolderMemory(home, kept)), true);

    Path next = home();
    states.restore(place(2), null, false, memory(next));
    assertFalse(Files.exists(next.resolve("cli").resolve("auth.json")));
  }

  @Test
  void keepsNothingOfAnAgentThatLeftNothing() throws IOException {
    states.open(place(1));
    assertInstanceOf(Saved.Kept.class, left(place(1), "n-1", null, home()));

    assertEquals(
        new Restored.Nothing(false), states.restore(place(2), null, false, memory(home())));
    assertInstanceOf(
        Restored.Nothing.class, states.restore(place(3), "n-1", false, memory(home())));
  }

  @Test
  void saysThatAStateTooLargeIsLostRatherThanForgetIt() throws IOException {
    Path home = home();
    byte[] noise = new byte[SessionSnapshots.ARCHIVE_BYTES_MAX + 1];
    new Random(1).nextBytes(noise);
    Files.createDirectories(home.resolve(STATE));
    Files.write(home.resolve(STATE).resolve("large"), noise);

    states.open(place(1));
    assertInstanceOf(Saved.TooLarge.class, left(place(1), "n-1", null, home));
    assertEquals(
        new Restored.Failed(SessionSnapshots.LOST),
        states.restore(place(2), null, false, memory(home())));
  }

  @Test
  void saysThatAnArchiveThatIsGoneOrBrokenIsLost() throws IOException {
    save(place(1), "n-1", null, "first");
    String archive =
        store.keys().stream().filter(k -> k.endsWith(".zip")).findFirst().orElseThrow();
    store.put(archive, new byte[] {'P', 'K', 3, 4, 9});

    assertEquals(
        new Restored.Failed(SessionSnapshots.LOST),
        states.restore(place(2), null, false, memory(home())));
    store.delete(archive);
    assertEquals(
        new Restored.Failed(SessionSnapshots.LOST),
        states.restore(place(2), null, false, memory(home())));
  }

  @Test
  void writesNothingOutsideTheHome() throws IOException {
    save(place(1), "n-1", null, "first");
    String archive =
        store.keys().stream().filter(k -> k.endsWith(".zip")).findFirst().orElseThrow();
    Path evil = folder.resolve("evil").toAbsolutePath();
    Files.createDirectories(evil.resolve("inner"));
    Files.writeString(evil.resolve("out.txt"), "x");
    store.put(
        archive,
        FolderArchive.pack(
            evil.resolve("inner"), List.of(Path.of("../out.txt")), 4096, StoredFiles.AS_THEY_ARE));

    Path home = home();
    assertEquals(
        new Restored.Failed(SessionSnapshots.LOST),
        states.restore(place(2), null, false, memory(home)));
    assertFalse(Files.exists(folder.resolve("homes").resolve("out.txt")));
  }

  @Test
  void keepsNoArchiveNobodyNeeds() throws IOException {
    @Nullable SavedState began = null;
    for (int i = 1; i <= SessionSnapshots.EARLIER_MAX + 3; i++) {
      save(place(i), "n-1", began, "turn " + i);
      began = session(states.restore(place(i + 1), null, false, memory(home()))).began(run(i + 1));
    }

    assertTrue(
        store.keys().stream().filter(key -> key.endsWith(".zip")).count()
            <= SessionSnapshots.EARLIER_MAX + 1,
        () -> "kept: " + store.keys());
  }

  @Test
  void reportsWhenTheStoreDoesNotAnswer() throws IOException {
    SessionSnapshots away = new SessionSnapshots(new AwayArtifactStore(), Runnable::run);

    assertEquals(
        new Restored.Failed(SessionSnapshots.UNREACHABLE),
        away.restore(place(1), null, false, memory(home())));
    assertInstanceOf(
        Saved.Unreachable.class,
        away.settle(away.draft(place(1), "n-1", null, memory(home())), true));
  }

  @Test
  void replacesNothingOfAnAttemptThatBeganLater() throws IOException {
    save(place(1), "n-1", null, "first");
    Path late = home();
    states.restore(place(2, "a-2"), null, false, memory(late));
    write(late, "late");
    SessionSnapshots.Draft draft = states.draft(place(2, "a-2"), "n-1", null, memory(late));
    Restored.Session began = session(states.restore(place(2, "a-3"), null, false, memory(home())));
    save(place(2, "a-3"), "n-1", began.began(run(2)), "second");

    assertInstanceOf(Saved.Unreachable.class, states.settle(draft, true));

    Path next = home();
    session(states.restore(place(3), null, false, memory(next)));
    assertEquals("second", Files.readString(next.resolve(FILE)));
    Path named = home();
    session(states.restore(place(4), "n-1", false, memory(named)));
    assertEquals("second", Files.readString(named.resolve(FILE)));
  }

  @Test
  void replacesNothingOfTheRunAfterItsOwn() throws IOException {
    Path late = home();
    states.open(place(1));
    write(late, "late");
    save(place(2), "n-1", null, "second");

    assertInstanceOf(Saved.Unreachable.class, left(place(1), "n-1", null, late));

    Path next = home();
    session(states.restore(place(3), null, false, memory(next)));
    assertEquals("second", Files.readString(next.resolve(FILE)));
  }

  @Test
  void readsMarksThatNameTheRunAlone() throws IOException {
    String key = "default/sessions/codex/session/s-1.json";
    byte[] old =
        "{\"run_id\":\"\",\"native_session\":\"\",\"open\":\"%s\"}"
            .formatted(run(1).runId())
            .getBytes(StandardCharsets.UTF_8);
    store.put(key, old);

    assertEquals(
        new Restored.Nothing(false), states.restore(place(1), null, false, memory(home())));
    store.put(key, old);
    assertEquals(new Restored.Nothing(true), states.restore(place(2), null, false, memory(home())));
  }

  @Test
  void anAttemptThatIsOverMarksNothing() throws IOException {
    states.open(place(1));
    SessionSnapshots late = states.unless(() -> true);

    assertInstanceOf(Restored.Failed.class, late.restore(place(2), null, false, memory(home())));
    assertInstanceOf(Restored.Failed.class, late.open(place(2)));

    Path home = home();
    write(home, "1");
    assertInstanceOf(Saved.Kept.class, left(place(1), "n-1", null, home));
  }

  /// An attempt that begins and ends.
  private void save(Place place, String session, @Nullable SavedState began, String text)
      throws IOException {
    states.restore(place, null, false, memory(home()));
    Path home = home();
    write(home, text);
    assertInstanceOf(Saved.Kept.class, left(place, session, began, home));
  }

  private Saved left(Place place, String session, @Nullable SavedState began, Path home) {
    return states.settle(states.draft(place, session, began, memory(home)), true);
  }

  private static FolderMemory memory(Path home) {
    return new FolderMemory(home, List.of(STATE));
  }

  private static void write(Path home, String text) throws IOException {
    Path file = home.resolve(FILE);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Path home() throws IOException {
    return Files.createDirectories(folder.resolve("homes").resolve("home-" + homes++));
  }

  private static Restored.Session session(Restored restored) {
    return assertInstanceOf(Restored.Session.class, restored);
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
}
