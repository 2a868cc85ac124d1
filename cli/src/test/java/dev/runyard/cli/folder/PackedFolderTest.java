package dev.runyard.cli.folder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.upload.UploadFormat;
import dev.runyard.runner.upload.UnpackBounds;
import dev.runyard.runner.upload.UploadedArchive;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A folder of a person, as it is packed and as a runner unpacks it.
final class PackedFolderTest {
  @TempDir private Path temporary;
  private Path folder;

  @BeforeEach
  void make() throws Exception {
    folder = Files.createDirectory(temporary.resolve("folder"));
  }

  @Test
  void takesOfARepositoryWhatGitTracksOrWouldTrackAsItIsNow() throws Exception {
    git("init", "--quiet");
    write("tracked", "1\n");
    write("deleted", "1\n");
    write(".gitignore", "ignored\nbuild/\n");
    write("sub/forced.ignored", "forced\n");
    git("add", "--all");
    git("commit", "--quiet", "-m", "first");
    Files.delete(folder.resolve("deleted"));
    write("tracked", "edited\n");
    write("new", "new\n");
    write("ignored", "secret\n");
    write("build/out", "out\n");

    assertEquals(
        Set.of(".gitignore", "new", "sub/forced.ignored", "tracked"),
        packed(folder).state().keySet());
    assertEquals(Set.of("forced.ignored"), packed(folder.resolve("sub")).state().keySet());
    assertEquals("edited\n", Files.readString(unpacked(packed(folder)).resolve("tracked")));
  }

  @Test
  void packsNoMoreThanARunMayBeginWith() throws Exception {
    FolderFiles files = new FolderFiles(new TreeSet<>(), new TreeMap<>(), false);
    for (int i = 0; i <= ChangeBounds.ENTRIES_MAX / 2; i++) {
      files.paths().add("d" + i + "/f");
    }
    Path archive = temporary.resolve("archive");
    assertThrows(FolderFiles.Unusable.class, () -> PackedFolder.pack(folder, files, archive));
    assertFalse(Files.exists(archive));

    Files.write(folder.resolve("empty"), new byte[40 * 1024 * 1024]);
    assertThrows(FolderFiles.Unusable.class, () -> packed(folder));
  }

  @Test
  void takesOfAnyOtherFolderEverything() throws Exception {
    write("a", "1");
    write(".hidden/b", "2");
    Files.createDirectories(folder.resolve("empty/deep"));
    Files.createDirectories(folder.resolve("nested"));
    git("init", "--quiet", "nested");
    write("nested/c", "3");

    FolderFiles files = FolderFiles.of(folder);

    assertFalse(files.repository());
    assertEquals(Set.of("nested/.git"), files.leftOut().keySet());
    Path unpacked = unpacked(packed(folder));
    assertEquals("3", Files.readString(unpacked.resolve("nested/c")));
    assertTrue(Files.isDirectory(unpacked.resolve("empty/deep")));
  }

  @Test
  void takesNothingOfARepositoryThatGitRefuses() throws Exception {
    git("init", "--quiet");
    write(".gitignore", "ignored\n");
    write("ignored", "secret\n");
    write(".git/config", "[broken\n");

    assertThrows(FolderFiles.Unusable.class, () -> FolderFiles.of(folder));
  }

  @Test
  void takesNoFileFromBehindALinkThatIsWhereAFolderWas() throws Exception {
    git("init", "--quiet");
    write("config/key", "tracked\n");
    write("other", "1\n");
    git("add", "--all");
    Files.delete(folder.resolve("config/key"));
    Files.delete(folder.resolve("config"));
    Path outside = Files.createDirectory(temporary.resolve("outside"));
    Files.writeString(outside.resolve("key"), "secret\n");
    Files.createSymbolicLink(folder.resolve("config"), outside);

    PackedFolder packed = packed(folder);

    assertEquals(Set.of("config", "other"), packed.state().keySet());
    assertTrue(Files.isSymbolicLink(unpacked(packed).resolve("config")));
  }

  @Test
  void keepsNamesBytesModesAndLinks() throws Exception {
    git("init", "--quiet");
    String odd = "a b\n\u00fc\u4e2d'\"";
    write(odd, "one\r\ntwo\n");
    write("n".repeat(200) + "/" + "m".repeat(200), "long");
    Files.write(folder.resolve("binary"), new byte[] {0, -1, '\r', '\n'});
    write("tool", "#!/bin/sh\n");
    assertTrue(folder.resolve("tool").toFile().setExecutable(true));
    Files.createSymbolicLink(folder.resolve("link"), Path.of("../somewhere else"));

    Path unpacked = unpacked(packed(folder));

    for (String path : List.of(odd, "n".repeat(200) + "/" + "m".repeat(200), "binary", "tool")) {
      assertEquals(-1, Files.mismatch(folder.resolve(path), unpacked.resolve(path)), path);
    }
    assertTrue(Files.isExecutable(unpacked.resolve("tool")));
    assertFalse(Files.isExecutable(unpacked.resolve("binary")));
    assertEquals(Path.of("../somewhere else"), Files.readSymbolicLink(unpacked.resolve("link")));
  }

  @Test
  void makesTheSameBytesOfTheSameFiles() throws Exception {
    write("b/c", "1");
    write("a", "2");
    String first = packed(folder).sha256();
    Files.setLastModifiedTime(folder.resolve("a"), FileTime.fromMillis(1));
    assertEquals(first, packed(folder).sha256());
    write("a", "3");

    assertFalse(first.equals(packed(folder).sha256()));
  }

  @Test
  void saysWhyItCannotPackAFolder() throws Exception {
    assertThrows(FolderFiles.Unusable.class, () -> FolderFiles.of(folder));
    assertThrows(FolderFiles.Unusable.class, () -> FolderFiles.of(folder.resolve("none")));
    git("init", "--quiet");
    assertThrows(FolderFiles.Unusable.class, () -> FolderFiles.of(folder));
  }

  private PackedFolder packed(Path of) throws Exception {
    return PackedFolder.pack(
        of, FolderFiles.of(of), Files.createTempFile(temporary, "packed", ".tar.gz"));
  }

  private Path unpacked(PackedFolder packed) throws Exception {
    Path root = Files.createTempDirectory(temporary, "unpacked");
    UploadedArchive.Result.Unpacked result =
        assertInstanceOf(
            UploadedArchive.Result.Unpacked.class,
            new UploadedArchive(UploadFormat.TAR_GZ, Files.readAllBytes(packed.archive()))
                .unpack(root, UnpackBounds.OF_UPLOADS, () -> false));
    assertEquals(packed.state().size(), result.files());
    for (Map.Entry<String, Fingerprint> file : packed.state().entrySet()) {
      assertTrue(Files.exists(root.resolve(file.getKey()), LinkOption.NOFOLLOW_LINKS));
    }
    return root;
  }

  private void write(String path, String content) throws Exception {
    Path file = folder.resolve(path);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, content, UTF_8);
  }

  private void git(String... arguments) throws Exception {
    GitCalls.git(folder, arguments);
  }
}
