package dev.runyard.runner.paused;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.runner.workspace.StoredFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkspaceArchiveTest {
  private static final FileTime TIME = FileTime.fromMillis(1_700_000_000_123L);
  private final Path from;
  private final Path to;

  WorkspaceArchiveTest(@TempDir Path folder) throws IOException {
    from = Files.createDirectory(folder.resolve("from"));
    to = Files.createDirectory(folder.resolve("to")).toRealPath();
  }

  @Test
  void bringsBackFilesFoldersPermissionsTimesAndLinks() throws IOException {
    Files.createDirectories(from.resolve(".git/refs/heads"));
    Path git = from.resolve(".git");
    Files.writeString(git.resolve("HEAD"), "ref: refs/heads/main\n");
    byte[] large = new byte[300_000];
    new Random(1).nextBytes(large);
    Files.write(git.resolve("pack"), large);
    Files.setPosixFilePermissions(
        git.resolve("pack"), PosixFilePermissions.fromString("r--r--r--"));
    Path script = Files.writeString(from.resolve("run é.sh"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
    Files.setLastModifiedTime(script, TIME);
    Files.createSymbolicLink(from.resolve("link"), Path.of("run é.sh"));
    Files.createSymbolicLink(from.resolve("out"), Path.of("/nowhere/at/all"));
    Path locked = Files.createDirectory(from.resolve("locked"));
    Files.writeString(locked.resolve("in"), "");
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));

    assertTrue(WorkspaceArchive.fits(from));
    unpack(pack());

    assertEquals("ref: refs/heads/main\n", Files.readString(to.resolve(".git/HEAD")));
    assertTrue(Files.isDirectory(to.resolve(".git/refs/heads")));
    assertArrayEquals(large, Files.readAllBytes(to.resolve(".git/pack")));
    assertEquals("r--r--r--", permissions(to.resolve(".git/pack")));
    assertEquals("rwxr-x---", permissions(to.resolve("run é.sh")));
    assertEquals(TIME, Files.getLastModifiedTime(to.resolve("run é.sh")));
    assertEquals(Path.of("run é.sh"), Files.readSymbolicLink(to.resolve("link")));
    assertEquals(Path.of("/nowhere/at/all"), Files.readSymbolicLink(to.resolve("out")));
    assertEquals("r-xr-xr-x", permissions(to.resolve("locked")));
    assertEquals("", Files.readString(to.resolve("locked/in")));
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(
        to.resolve("locked"), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void keepsAnEmptyWorkspace() throws IOException {
    unpack(pack());

    try (var files = Files.list(to)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void packsNothingThatIsTooLarge() throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(from.resolve("large").toFile(), "rw")) {
      sparse.setLength(WorkspaceArchive.BYTES_MAX);
      assertTrue(WorkspaceArchive.fits(from));
      sparse.setLength(WorkspaceArchive.BYTES_MAX + 1);
    }

    assertFalse(WorkspaceArchive.fits(from));
    assertThrows(IOException.class, this::pack);
  }

  @Test
  void writesNothingOutsideOfTheFolder() throws IOException {
    Path outside = to.resolveSibling("outside");
    for (String name : new String[] {"../outside", outside.toString(), "a/../../outside", "."}) {
      byte[] archive = archive(out -> file(out, name));
      assertThrows(IOException.class, () -> unpack(archive), name);
    }
    assertFalse(Files.exists(outside, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void writesNothingThroughALink() throws IOException {
    Path outside = Files.createDirectory(to.resolveSibling("outside"));
    byte[] archive =
        archive(
            out -> {
              out.writeByte('l');
              out.writeUTF("link");
              out.writeUTF(outside.toString());
              file(out, "link/file");
            });

    assertThrows(IOException.class, () -> unpack(archive));
    assertFalse(Files.exists(outside.resolve("file")));
  }

  @Test
  void noticesWhereAnArchiveIsCutOff() throws IOException {
    Files.writeString(from.resolve("one"), "1");
    byte[] whole = pack();
    byte[] cut = Arrays.copyOf(whole, whole.length - 10);

    assertThrows(IOException.class, () -> unpack(cut));
  }

  private byte[] pack() throws IOException {
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    WorkspaceArchive.pack(from, archive, StoredFiles.AS_THEY_ARE);
    return archive.toByteArray();
  }

  private void unpack(byte[] archive) throws IOException {
    WorkspaceArchive.unpack(new ByteArrayInputStream(archive), to);
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private interface Entries {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] archive(Entries entries) throws IOException {
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(archive))) {
      entries.write(out);
      out.writeByte('e');
    }
    return archive.toByteArray();
  }

  private static void file(DataOutputStream out, String name) throws IOException {
    out.writeByte('f');
    out.writeUTF(name);
    out.writeUTF("rw-r--r--");
    out.writeLong(0);
    out.writeLong(1);
    out.writeByte('x');
  }
}
