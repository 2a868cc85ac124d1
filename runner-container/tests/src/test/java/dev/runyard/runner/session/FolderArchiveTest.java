package dev.runyard.runner.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.runner.files.Removal;
import dev.runyard.runner.workspace.ExchangedFiles;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderArchiveTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void unpacksNoMoreEntriesThanItPacks() throws IOException {
    Path root = Files.createDirectories(folder.resolve("home")).toRealPath();

    IOException many =
        assertThrows(
            IOException.class,
            () -> FolderArchive.unpack(archive(FolderArchive.FILES_MAX + 1), root, 1_000));

    assertEquals("the archive has too many entries", many.getMessage());
    FolderArchive.unpack(archive(2), root, 1_000);
  }

  @Test
  void packsASessionBesideFoldersToWhichNoPathLeads() throws Exception {
    Path root = Files.createDirectories(folder.resolve("home")).toRealPath();
    Files.createDirectory(root.resolve("sessions"));
    Files.writeString(root.resolve("sessions/mine"), "mine");
    try {
      Process deep =
          new ProcessBuilder("perl", "-e", "for (1..3000) { mkdir 'd' or die; chdir 'd' or die }")
              .directory(root.resolve("sessions").toFile())
              .start();
      assertEquals(0, deep.waitFor());

      assertTrue(FolderArchive.fits(root, List.of(Path.of("sessions")), 100));
      assertTrue(
          FolderArchive.pack(root, List.of(Path.of("sessions")), 1_000, StoredFiles.AS_THEY_ARE)
                  .length
              > 0);
    } finally {
      assertEquals(List.of(), Removal.of(root));
    }
  }

  @Test
  void packsWhatItCheckedWhateverIsExchanged() throws IOException {
    Path root = Files.createDirectories(folder.resolve("home")).toRealPath();
    Path file = Files.createDirectory(root.resolve("sessions")).resolve("1");
    Path secret = Files.writeString(folder.resolve("secret"), "not mine");
    Files.writeString(file, "mine");
    Path moved = root.resolve("moved");

    byte[] archive =
        FolderArchive.pack(
            root,
            List.of(Path.of("sessions")),
            1_000,
            new ExchangedFiles("sessions/1", file, moved, secret));

    assertTrue(Files.isSymbolicLink(file));
    Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
    FolderArchive.unpack(archive, unpacked, 1_000);
    assertEquals("mine", Files.readString(unpacked.resolve("sessions/1")));
  }

  /// An archive of this many empty files.
  private static byte[] archive(int entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (int i = 0; i < entries; i++) {
        zip.putNextEntry(new ZipEntry("sessions/" + i));
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }
}
