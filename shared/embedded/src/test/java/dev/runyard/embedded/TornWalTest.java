package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The machine lost power: of the write-ahead log the disk has a beginning, or a part that is not
/// what was written.
@ExtendWith(StoreRig.Given.class)
class TornWalTest {
  private static final RunKey RUN = SampleRun.key(1);
  private static final int APPENDS = 12;

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
  void append() throws IOException {
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
    file = Files.readAllBytes(stored);
    wal = Files.readAllBytes(aside);
    rig.closeStore();
    assertEquals(wal.length, lengths.getLast());
  }

  @Test
  void aLogThatIsCutAnywhereIsReadUpToTheLastWholeAppend() throws IOException {
    Set<Integer> cuts = new TreeSet<>(List.of(0, 1, WAL_HEADER_BYTES - 1));
    for (int border = WAL_HEADER_BYTES; border < wal.length; border += FRAME_BYTES) {
      cuts.addAll(List.of(border, border + 1));
    }
    IntStream.rangeClosed(wal.length - FRAME_BYTES, wal.length).forEach(cuts::add);

    for (int cut : cuts) {
      List<Chunk> left = reopened(Arrays.copyOf(wal, cut));

      assertPrefix(left, "cut at " + cut);
      long synced = lengths.stream().filter(length -> length <= cut).count();
      assertTrue(left.size() >= synced, () -> left.size() + " appends, cut at " + cut);
    }
  }

  @Test
  void aByteThatIsNotWhatWasWrittenInventsNothing() throws IOException {
    int last = lengths.get(APPENDS - 2);
    for (int at = last; at < wal.length; at += 7) {
      byte[] damaged = wal.clone();
      damaged[at] ^= 0x20;

      List<Chunk> left = reopened(damaged);

      assertPrefix(left, "damaged at " + at);
      assertTrue(left.size() >= APPENDS - 1, "damaged at " + at);
    }
  }

  private void assertPrefix(List<Chunk> left, String how) {
    assertEquals(appended.subList(0, left.size()), left, how);
  }

  /// What is read from a copy of the file with that beside it; another append must find its place.
  private List<Chunk> reopened(byte[] beside) throws IOException {
    StoreSettings settings =
        new StoreSettings(rig.folder().resolve("copy"), StoreRig.RETENTION, false);
    Path copy = StoreFolder.file(Files.createDirectories(settings.folder()));
    Files.write(copy, file);
    Files.write(wal(copy), beside);
    try (EmbeddedStore store = EmbeddedStore.open(settings, rig.environment())) {
      List<Chunk> left = store.events().chunksAfter(RUN, 0);
      Chunk next = SampleRun.output(RUN, left.size() + 1L, "next");
      store.events().append(next);
      assertEquals(next, store.events().chunksAfter(RUN, left.size()).getFirst());
      assertEquals(
          LongStream.rangeClosed(1, left.size()).boxed().toList(),
          left.stream().map(Chunk::first).toList());
      return left;
    }
  }

  private static Path wal(Path file) {
    return file.resolveSibling(file.getFileName() + "-wal");
  }
}
