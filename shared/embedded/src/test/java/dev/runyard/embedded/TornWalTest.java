package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The machine lost power: of the write-ahead log the disk has a beginning, or a part that is not
/// what was written.
@ExtendWith(StoreRig.Given.class)
class TornWalTest {
  private static final RunKey RUN = SampleRun.key(1);
  private static final int APPENDS = 4;

  /// Appends that share the last transaction.
  private static final int GROUPED = 2;

  /// Small, so that every byte of a frame can be tried.
  private static final int PAGE_BYTES = 512;

  private static final int WAL_HEADER_BYTES = 32;
  private static final int FRAME_BYTES = 24 + PAGE_BYTES;

  private final StoreRig rig;
  private final List<Chunk> appended = new ArrayList<>();

  /// How long the write-ahead log was when an append was acknowledged.
  private final List<Integer> lengths = new ArrayList<>();

  private byte[] file = {};
  private byte[] wal = {};

  TornWalTest(StoreRig rig) {
    this.rig = rig;
  }

  @BeforeEach
  void append() throws Exception {
    rig.connections().makePages(PAGE_BYTES);
    EventLog log = rig.store().events();
    Path stored = StoreFolder.file(rig.settings().folder());
    Path aside = wal(stored);
    for (int at = 1; at <= APPENDS; at++) {
      Chunk chunk = SampleRun.output(RUN, at, "text ".repeat(at));
      log.append(chunk);
      appended.add(chunk);
      lengths.add(Math.toIntExact(Files.size(aside)));
    }
    List<Callable<AppendResult>> group = new ArrayList<>();
    for (int at = APPENDS + 1; at <= APPENDS + GROUPED; at++) {
      Chunk chunk = SampleRun.output(RUN, at, "group");
      appended.add(chunk);
      group.add(() -> log.append(chunk));
    }
    GroupedWrites.of(rig.store(), group, () -> {});
    lengths.addAll(Collections.nCopies(GROUPED, Math.toIntExact(Files.size(aside))));
    file = Files.readAllBytes(stored);
    wal = Files.readAllBytes(aside);
    rig.closeStore();
    assertEquals(wal.length, lengths.getLast());
  }

  @Test
  void aLogThatIsCutIsReadUpToTheLastWholeTransactionAndWrittenOn() throws IOException {
    Set<Integer> cuts = new TreeSet<>(List.of(0, 1));
    for (int border = WAL_HEADER_BYTES; border <= wal.length; border += FRAME_BYTES) {
      cuts.addAll(List.of(border - 1, border, Math.min(border + 1, wal.length)));
    }
    for (int cut : cuts) {
      long synced = lengths.stream().filter(length -> length <= cut).count();

      assertEquals(
          appended.subList(0, Math.toIntExact(synced)),
          reopened(Arrays.copyOf(wal, cut)),
          () -> "cut at " + cut);
    }
  }

  @Test
  void aTransactionThatLacksAnyByteIsGoneAsAWhole() throws Exception {
    for (int cut = lengths.get(APPENDS - 1); cut < wal.length; cut++) {
      assertEquals(ids(APPENDS), left(Arrays.copyOf(wal, cut)), "cut at " + cut);
    }
    assertEquals(ids(APPENDS + GROUPED), left(wal));
  }

  @Test
  void aTransactionWithAWrongByteIsGoneAsAWhole() throws Exception {
    for (int at = lengths.get(APPENDS - 1); at < wal.length; at += 7) {
      byte[] damaged = wal.clone();
      damaged[at] ^= 0x20;

      assertEquals(ids(APPENDS), left(damaged), "damaged at " + at);
    }
  }

  private List<String> ids(int count) {
    return appended.stream().limit(count).map(Chunk::id).toList();
  }

  /// The chunks in a copy of the file with that beside it, seen by a reader that syncs nothing.
  private List<String> left(byte[] beside) throws IOException, SQLException {
    Path copy = copy(beside);
    try (StoreConnection reader = StoreConnection.reader(rig.connections().open(copy))) {
      reader.execute("pragma synchronous = off");
      return reader.rows(StoreConnection.Row.TEXT, "select id from chunks order by first");
    }
  }

  private Path copy(byte[] beside) throws IOException {
    Path copy = StoreFolder.file(Files.createDirectories(rig.folder().resolve("copy")));
    Files.write(copy, file);
    Files.write(wal(copy), beside);
    return copy;
  }

  /// What a store reads from a copy of the file with that beside it; another append must find its
  /// place.
  private List<Chunk> reopened(byte[] beside) throws IOException {
    StoreSettings settings =
        new StoreSettings(copy(beside).resolveSibling(""), StoreRig.RETENTION, false);
    try (EmbeddedStore store = EmbeddedStore.open(settings, rig.environment())) {
      List<Chunk> left = store.events().chunksAfter(RUN, 0);
      Chunk next = SampleRun.output(RUN, left.size() + 1L, "next");
      store.events().append(next);
      assertEquals(next, store.events().chunksAfter(RUN, left.size()).getFirst());
      return left;
    }
  }

  private static Path wal(Path file) {
    return file.resolveSibling(file.getFileName() + "-wal");
  }
}
