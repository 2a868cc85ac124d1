package dev.runyard.runner.kept;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.runner.files.Removal;
import dev.runyard.runner.workspace.ExchangedFiles;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptFilesTest {
  private static final FileTime TIME = FileTime.fromMillis(1_700_000_000_123L);
  private static final String PREFIX = "acme/files/s-1/packs";
  private static final FileBounds BOUNDS = new FileBounds(64L * 1024 * 1024, 1_000);

  private final MemoryArtifactStore store = new MemoryArtifactStore();
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final KeptFiles files = new KeptFiles(store, clock, BOUNDS);
  private final Random random = new Random(7);
  private final Path from;
  private final Path to;

  KeptFilesTest(@TempDir Path folder) throws IOException {
    from = Files.createDirectory(folder.resolve("from")).toRealPath();
    to = Files.createDirectory(folder.resolve("to")).toRealPath();
  }

  @Test
  void bringsBackFilesFoldersPermissionsTimesAndLinks() throws IOException {
    byte[] large = bytes(Piece.PIECE_BYTES_MAX + 17);
    Files.write(from.resolve("large"), large);
    Path script = Files.writeString(from.resolve("run é\n.sh"), "#!/bin/sh\r\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
    Files.setLastModifiedTime(script, TIME);
    Files.createFile(from.resolve("empty"));
    Files.createDirectories(from.resolve("a/empty folder"));
    Files.createSymbolicLink(from.resolve("a/link"), Path.of("../run é\n.sh"));
    Files.createSymbolicLink(from.resolve("out"), Path.of("/nowhere/at/all"));
    Path locked = Files.createDirectory(from.resolve("locked"));
    Files.writeString(locked.resolve("in"), "twice");
    Files.writeString(from.resolve("twice"), "twice");
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));

    restored(stored(keep(Listing.EMPTY)));

    assertArrayEquals(large, Files.readAllBytes(to.resolve("large")));
    assertEquals("#!/bin/sh\r\n", Files.readString(to.resolve("run é\n.sh")));
    assertEquals("rwxr-x---", permissions("run é\n.sh"));
    assertEquals(TIME, Files.getLastModifiedTime(to.resolve("run é\n.sh")));
    assertEquals(0, Files.size(to.resolve("empty")));
    assertTrue(Files.isDirectory(to.resolve("a/empty folder")));
    assertEquals(Path.of("../run é\n.sh"), Files.readSymbolicLink(to.resolve("a/link")));
    assertEquals(Path.of("/nowhere/at/all"), Files.readSymbolicLink(to.resolve("out")));
    assertEquals("r-xr-xr-x", permissions("locked"));
    assertEquals("twice", Files.readString(to.resolve("locked/in")));
    for (Path folder : List.of(locked, to.resolve("locked"))) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void sendsOnlyWhatTheLastListingDoesNotName() throws IOException {
    byte[] large = bytes(3 * Piece.PIECE_BYTES_MAX);
    Files.write(from.resolve("large"), large);
    Files.write(from.resolve("small"), bytes(1_000));
    Listing first = keep(Listing.EMPTY);
    Set<String> before = new HashSet<>(store.keys());

    large[2 * Piece.PIECE_BYTES_MAX] ^= 1;
    Files.write(from.resolve("large"), large);
    Files.move(from.resolve("small"), from.resolve("other name"));
    Listing second = keep(stored(first));
    Set<String> sent = new HashSet<>(store.keys());
    sent.removeAll(before);

    assertEquals(1, sent.size());
    assertTrue(
        store.get(sent.iterator().next()).orElseThrow().length < Piece.PIECE_BYTES_MAX + 1_000);
    restored(second);
    assertArrayEquals(large, Files.readAllBytes(to.resolve("large")));
  }

  @Test
  void storesAnewOnceMoreOfThePacksIsUnusedThanUsed() throws IOException {
    Listing listing = Listing.EMPTY;
    for (int n = 0; n < 20; n++) {
      Files.write(from.resolve("changing"), bytes(2 * 1024 * 1024));
      Files.write(from.resolve("constant"), new byte[2 * 1024 * 1024]);
      listing = keep(listing);
      assertTrue(listing.packed() <= 2 * listing.bytes() + PackWriter.PACK_BYTES, "after " + n);
    }
    restored(listing);
  }

  @Test
  void namesNoPackThatRetentionMightTake() throws IOException {
    Files.write(from.resolve("constant"), bytes(1_000));
    Listing first = keep(Listing.EMPTY);
    clock.advance(KeptFiles.PACK_AGE_MAX);
    assertEquals(first.packs(), keep(first).packs());

    clock.advance(Duration.ofMillis(1));
    assertEquals(clock.millis(), keep(first).packs().getFirst().writtenMillis());
  }

  @Test
  void keepsNothingThatIsTooLarge() throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(from.resolve("large").toFile(), "rw")) {
      sparse.setLength(BOUNDS.bytesMax());
      assertTrue(files.fits(from));
      sparse.setLength(BOUNDS.bytesMax() + 1);
    }

    assertFalse(files.fits(from));
    assertThrows(IOException.class, () -> keep(Listing.EMPTY));
  }

  @Test
  void keepsNothingThatIsTooDeepToBeRestored() throws IOException {
    Path deep = from;
    for (int bytes = 0; bytes < ChangeBounds.PATH_BYTES_MAX; bytes += 200) {
      assertTrue(files.fits(from));
      deep = Files.createDirectory(deep.resolve("d".repeat(199)));
    }
    Files.createDirectory(deep.resolve("d"));

    assertFalse(files.fits(from));
    assertThrows(IOException.class, () -> keep(Listing.EMPTY));
  }

  @Test
  void keepsWhatItCheckedWhateverIsExchanged() throws IOException {
    Path outside = Files.createDirectory(to.resolveSibling("outside"));
    Files.writeString(outside.resolve("in"), "not mine");
    Files.writeString(Files.createDirectory(from.resolve("a")).resolve("in"), "mine");
    Path file = Files.writeString(from.resolve("b"), "mine too");

    Path movedFolder = from.resolve("moved folder");
    StoredFiles folder = new ExchangedFiles("a", from.resolve("a"), movedFolder, outside);
    restored(files.keep(from, PREFIX, Listing.EMPTY, folder));

    assertTrue(Files.isSymbolicLink(from.resolve("a")));
    assertEquals("mine", Files.readString(to.resolve("a/in")));
    Removal.of(to);
    Files.createDirectory(to);
    StoredFiles content =
        new ExchangedFiles("b", file, from.resolve("moved"), outside.resolve("in"));
    restored(files.keep(from, PREFIX, Listing.EMPTY, content));
    assertTrue(Files.isSymbolicLink(file));
    assertEquals("mine too", Files.readString(to.resolve("b")));
  }

  @Test
  void keepsNothingOfAFolderThatIsMovedMeanwhile() throws IOException {
    Path outside = Files.createDirectory(to.resolveSibling("outside"));
    Path inside = Files.createDirectory(from.resolve("a"));
    StoredFiles moved = new ExchangedFiles("a", inside, outside.resolve("a"), outside);

    assertThrows(IOException.class, () -> files.keep(from, PREFIX, Listing.EMPTY, moved));
    assertTrue(Files.isDirectory(outside.resolve("a")));
  }

  @Test
  void restoresNothingOutsideOfTheFolder() throws IOException {
    Path outside = to.resolveSibling("outside");
    for (String name : List.of("../outside", outside.toString(), "a/../../outside", ".")) {
      for (FileEntry entry :
          List.of(
              new FileEntry.RegularFile(name, "rw-r--r--", 0, 0, List.of(), false),
              new FileEntry.Folder(name, "rwxr-xr-x"),
              new FileEntry.Link(name, "/etc"))) {
        Listing hostile = new Listing(List.of(entry), List.of(), List.of());
        assertThrows(IOException.class, () -> restored(stored(hostile)), name);
      }
    }
    assertFalse(Files.exists(outside));
  }

  @Test
  void restoresNothingThroughALink() throws IOException {
    Path outside = Files.createDirectory(to.resolveSibling("outside"));
    FileEntry file = new FileEntry.RegularFile("link/file", "rw-r--r--", 0, 0, List.of(), false);
    FileEntry link = new FileEntry.Link("link", outside.toString());

    for (List<FileEntry> entries : List.of(List.of(link, file), List.of(file, link))) {
      Listing hostile = new Listing(entries, List.of(), List.of());
      assertThrows(IOException.class, () -> restored(stored(hostile)));
    }
    assertFalse(Files.exists(outside.resolve("file")));
  }

  @Test
  void noticesAPackThatIsGoneOrAnother() throws IOException {
    Files.write(from.resolve("one"), bytes(1_000));
    Listing listing = keep(Listing.EMPTY);
    String pack = store.keys().iterator().next();
    byte[] content = store.get(pack).orElseThrow();

    content[content.length / 2] ^= 1;
    store.put(pack, content);
    assertThrows(IOException.class, () -> restored(listing));
    store.delete(pack);
    Files.delete(to.resolve("one"));
    assertThrows(IOException.class, () -> restored(listing));
  }

  @Test
  void refusesAListingThatIsCutOffOrChanged() throws IOException {
    Files.write(from.resolve("one"), bytes(1_000));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    files.write(keep(Listing.EMPTY), out);
    byte[] whole = out.toByteArray();

    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThrows(IOException.class, () -> files.read(new ByteArrayInputStream(cut)));
    }
  }

  private Listing keep(Listing last) throws IOException {
    return files.keep(from, PREFIX, last, StoredFiles.AS_THEY_ARE);
  }

  private Listing stored(Listing listing) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    files.write(listing, out);
    return files.read(new ByteArrayInputStream(out.toByteArray()));
  }

  private void restored(Listing listing) throws IOException {
    files.restore(listing, PREFIX, to);
  }

  private byte[] bytes(int count) {
    byte[] content = new byte[count];
    random.nextBytes(content);
    return content;
  }

  private String permissions(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(to.resolve(name)));
  }
}
