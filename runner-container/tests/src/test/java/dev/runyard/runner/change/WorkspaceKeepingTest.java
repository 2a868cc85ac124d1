package dev.runyard.runner.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.KeptLedger;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.LeftOut;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryLargeObjects;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.quota.Quotas;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.log.RunnerLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is kept where the store is slow, or refuses.
final class WorkspaceKeepingTest {
  @TempDir private Path folder;
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final MemoryArtifactStore memory = new MemoryArtifactStore();
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @Test
  void keepsThePatchWhereNothingElseIsTaken() throws Exception {
    KeptChange kept =
        kept(
            key -> {
              if (!key.endsWith("/patch")) {
                throw new PortUnavailable("planted");
              }
            });

    assertNotNull(kept.patch());
    assertEquals(List.of(), kept.artifacts());
    assertNull(kept.archive());
    assertEquals(
        List.of(
            new LeftOut("a.txt", LeftOut.Reason.UNREADABLE),
            new LeftOut("b.txt", LeftOut.Reason.UNREADABLE),
            new LeftOut("workspace.tar.gz", LeftOut.Reason.UNREADABLE)),
        kept.leftOut());
    assertEquals(3, kept.leftOutTotal());
    for (String code : List.of("kept_not_known", "file_not_stored")) {
      assertTrue(logged().contains(code), logged());
    }
  }

  @Test
  void keepsWhatCannotBeCounted() throws Exception {
    KeptChange kept =
        kept(
            key -> {
              if (key.endsWith("kept.json")) {
                throw new PortUnavailable("planted");
              }
            });

    assertEquals(2, kept.artifacts().size());
    assertNotNull(kept.archive());
    assertEquals(List.of(), kept.leftOut());
    assertTrue(logged().contains("kept_not_counted"), logged());
  }

  /// Two attempts of one run must not count twice.
  @Test
  void countsNothingOfAnAttemptThatHasLostItsRun() throws Exception {
    KeptLedger ledger = new KeptLedger(memory, Quotas.NONE, clock);
    ledger.add("acme", 7);
    WorkspaceKeeping keeping =
        keeping(memory, new MemoryLargeObjects(memory, clock), List.of("a.txt"), true);
    KeptChange kept = keeping.keep(changed());
    assertTrue(ledger.bytes("acme") > 7);

    keeping.forget(kept);

    assertEquals(7, ledger.bytes("acme"));
    assertEquals(List.of("acme/workspaces/kept.json"), List.copyOf(memory.keys()));
  }

  @Test
  void leavesOutWhatIsNotStoredInTime() throws Exception {
    KeptChange kept =
        kept(
            key -> {
              if (key.endsWith("/artifact-0")) {
                clock.advance(Duration.ofSeconds(ChangeBounds.FILES_SECONDS_MAX));
              }
            });

    assertNotNull(kept.patch());
    assertEquals(List.of("a.txt"), kept.artifacts().stream().map(KeptObject::name).toList());
    assertEquals(
        List.of(
            new LeftOut("b.txt", LeftOut.Reason.TOO_LARGE),
            new LeftOut("workspace.tar.gz", LeftOut.Reason.TOO_LARGE)),
        kept.leftOut());
  }

  /// One put alone may take hours.
  @Test
  void readsNoMoreOfALargeFileThatIsTakenTooSlowly() throws Exception {
    Origin base = new OriginRepository(folder).base("ws");
    Path large = base.workspace().resolve("a.txt");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(ChangeBounds.SENT_BYTES_MAX + 1L);
    }
    LargeObjects slow =
        new Slow(
            (key, content) -> {
              try (var in = content.open()) {
                assertTrue(in.read() >= 0);
                clock.advance(Duration.ofSeconds(ChangeBounds.FILES_SECONDS_MAX));
                in.readAllBytes();
              }
            });

    KeptChange kept = keeping(memory, slow, List.of("a.txt"), false).keep(base);

    assertEquals(List.of(), kept.artifacts());
    assertTrue(
        kept.leftOut().contains(new LeftOut("a.txt", LeftOut.Reason.TOO_LARGE)),
        () -> String.valueOf(kept.leftOut()));
  }

  /// @param asked told of each key that is written or looked for
  private KeptChange kept(Consumer<String> asked) throws Exception {
    ArtifactStore watched = new Watched(memory, asked);
    LargeObjects large = new MemoryLargeObjects(watched, clock);
    return keeping(watched, large, List.of("a.txt", "b.txt"), true).keep(changed());
  }

  private Origin changed() throws Exception {
    Origin base = new OriginRepository(folder).base("ws");
    Files.writeString(base.workspace().resolve("a.txt"), "new a\n");
    Files.writeString(base.workspace().resolve("b.txt"), "new b\n");
    return base;
  }

  private WorkspaceKeeping keeping(
      ArtifactStore store, LargeObjects large, List<String> artifacts, boolean archive) {
    return new WorkspaceKeeping(
        new ChangeStore(
            new KeptChanges(store),
            large,
            new KeptLedger(store, Quotas.NONE, clock),
            new RunnerLog(new PrintStream(printed, true, StandardCharsets.UTF_8), clock)),
        clock,
        new WorkspaceKeeping.Of(
            new RunKey("acme", "00000000-0000-7000-8000-000000000001"), 1, "attempt-1"),
        new WorkspaceKeeping.Wanted(List.of(), artifacts, archive),
        Secrets.NONE,
        folder.resolve("work"));
  }

  private String logged() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  private record Watched(ArtifactStore store, Consumer<String> asked) implements ArtifactStore {
    @Override
    public void put(String key, byte[] content) {
      asked.accept(key);
      store.put(key, content);
    }

    @Override
    public Optional<byte[]> get(String key) {
      return store.get(key);
    }

    @Override
    public Optional<Versioned> find(String key) {
      asked.accept(key);
      return store.find(key);
    }

    @Override
    public boolean replace(String key, Optional<String> version, byte[] content) {
      asked.accept(key);
      return store.replace(key, version, content);
    }

    @Override
    public void delete(String key) {
      store.delete(key);
    }
  }

  @FunctionalInterface
  private interface Put {
    void put(String key, LargeObjects.Content content) throws IOException;
  }

  private record Slow(Put put) implements LargeObjects {
    @Override
    public void put(String key, Content content) throws IOException {
      put.put(key, content);
    }

    @Override
    public boolean holds(String key) {
      return false;
    }

    @Override
    public String address(String key, Label label, Instant until) {
      return key;
    }
  }
}
