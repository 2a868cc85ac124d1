package dev.runyard.runner.upload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.upload.UploadFormat;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class UploadedArchiveTest {
  private static final UnpackBounds SMALL = new UnpackBounds(1000, 20, 200);

  @TempDir private Path folder;
  private Path root;

  @BeforeEach
  void make() throws Exception {
    root = Files.createDirectory(folder.resolve("root"));
  }

  @ParameterizedTest
  @EnumSource
  void keepsWhateverFilesMayBe(UploadFormat format) throws Exception {
    byte[] binary = {0, 1, (byte) 0xFF, '\r', '\n', 0};
    String odd = "a b\n\u00fc\u4e2d\u0301 'quoted\" :*?";
    assertEquals(
        new UploadedArchive.Result.Unpacked(6, 28),
        unpack(
            new ArchiveMaker(format)
                .folder("empty")
                .file("dos", "one\r\ntwo\r\n")
                .file("bin/binary", 0600, binary)
                .file(
                    "bin/tool",
                    04755,
                    "#!/bin/sh\n".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .file(odd, "")
                .file("./x//" + "n".repeat(200) + "/y", "yy")
                .link("away", "/etc/passwd"),
            format));

    assertTrue(Files.isDirectory(root.resolve("empty")));
    assertEquals("one\r\ntwo\r\n", Files.readString(root.resolve("dos")));
    assertArrayEquals(binary, Files.readAllBytes(root.resolve("bin/binary")));
    assertEquals("rw-------", mode("bin/binary"));
    assertEquals("rwxr-xr-x", mode("bin/tool"));
    assertEquals(0755, (int) Files.getAttribute(root.resolve("bin/tool"), "unix:mode") & 07777);
    assertTrue(Files.isRegularFile(root.resolve(odd)));
    assertEquals("yy", Files.readString(root.resolve("x/" + "n".repeat(200) + "/y")));
    assertEquals(Path.of("/etc/passwd"), Files.readSymbolicLink(root.resolve("away")));
  }

  @Test
  void makesACopyOfASecondNameAndTakesNoOtherTarget() throws Exception {
    assertInstanceOf(
        UploadedArchive.Result.Unpacked.class,
        unpack(
            new ArchiveMaker(UploadFormat.TAR_GZ).file("a", "1").hardLink("b", "a"),
            UploadFormat.TAR_GZ));

    assertEquals("1", Files.readString(root.resolve("b")));
    assertEquals(1, Files.getAttribute(root.resolve("a"), "unix:nlink"));
    assertRefused(
        Failure.UPLOAD_REFUSED,
        new ArchiveMaker(UploadFormat.TAR_GZ).hardLink("c", "/etc/passwd"),
        UploadFormat.TAR_GZ);
    assertRefused(
        Failure.UPLOAD_REFUSED,
        new ArchiveMaker(UploadFormat.TAR_GZ).link("d", "/etc/passwd").hardLink("e", "d"),
        UploadFormat.TAR_GZ);
  }

  @ParameterizedTest
  @EnumSource
  void writesThroughNoLink(UploadFormat format) throws Exception {
    Path outside = Files.createDirectory(folder.resolve("outside"));

    assertRefused(
        Failure.UPLOAD_REFUSED,
        new ArchiveMaker(format).link("l", outside.toString()).file("l/f", "x"),
        format);
    assertRefused(
        Failure.UPLOAD_REFUSED,
        new ArchiveMaker(format).file("m/f", "x").link("m", outside.toString()),
        format);

    assertArrayEquals(new String[0], outside.toFile().list());
  }

  @ParameterizedTest
  @EnumSource
  void boundsBytesEntriesAndDepth(UploadFormat format) {
    assertRefused(
        Failure.WORKSPACE_TOO_LARGE,
        new ArchiveMaker(format).file("zeros", 0644, new byte[1001]),
        format);
    ArchiveMaker many = new ArchiveMaker(format);
    for (int i = 0; i < 7; i++) {
      many.file("a" + i + "/b/c", "");
    }
    assertRefused(Failure.WORKSPACE_TOO_LARGE, many, format);
    assertRefused(
        Failure.UPLOAD_REFUSED, new ArchiveMaker(format).file("d/".repeat(101) + "f", ""), format);
    assertRefused(
        Failure.UPLOAD_REFUSED, new ArchiveMaker(format).file("n".repeat(256), ""), format);
  }

  /// The runner has all of them in its memory.
  @Test
  void boundsPathsAndTargetsOfLinksTogether() {
    ArchiveMaker links = new ArchiveMaker(UploadFormat.TAR_ZST);
    for (int i = 0; i <= ChangeBounds.PATHS_BYTES_MAX / UnpackBounds.LINK_BYTES_MAX; i++) {
      links.link("l" + i, "t".repeat(UnpackBounds.LINK_BYTES_MAX));
    }

    assertEquals(
        Failure.WORKSPACE_TOO_LARGE,
        code(
            new UploadedArchive(UploadFormat.TAR_ZST, links.bytes())
                .unpack(root, UnpackBounds.OF_UPLOADS, () -> false)));
    assertArrayEquals(new String[0], root.toFile().list());
  }

  @Test
  void boundsWhatABombUnpacksTo() {
    UnpackBounds bounds = new UnpackBounds(UnpackBounds.UNPACKED_BYTES_MAX, 20, 2);
    byte[] zeros = new byte[(int) UnpackBounds.FREE_BYTES + 1];
    byte[] bomb = new ArchiveMaker(UploadFormat.TAR_ZST).file("zeros", 0644, zeros).bytes();

    assertEquals(
        Failure.WORKSPACE_TOO_LARGE,
        code(new UploadedArchive(UploadFormat.TAR_ZST, bomb).unpack(root, bounds, () -> false)));
  }

  @Test
  void holdsNoHeaderInMemoryThatClaimsToBeLarge() throws Exception {
    ByteArrayOutputStream made = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(made);
        var tar = new org.apache.commons.compress.archivers.tar.TarArchiveOutputStream(out)) {
      var entry =
          new org.apache.commons.compress.archivers.tar.TarArchiveEntry(
              "././@LongLink", TarConstants.LF_GNUTYPE_LONGNAME);
      entry.setSize(100_000_000);
      tar.putArchiveEntry(entry);
      byte[] more = new byte[1_000_000];
      java.util.Arrays.fill(more, (byte) 'n');
      for (int i = 0; i < 100; i++) {
        tar.write(more);
      }
      tar.closeArchiveEntry();
    }

    assertEquals(
        Failure.WORKSPACE_TOO_LARGE,
        code(
            new UploadedArchive(UploadFormat.TAR_GZ, made.toByteArray())
                .unpack(root, UnpackBounds.OF_UPLOADS, () -> false)));
  }

  @Test
  void stopsWhereItIs() {
    byte[] archive = new ArchiveMaker(UploadFormat.ZIP).file("a", "1").bytes();

    assertEquals(
        Failure.UPLOAD_UNAVAILABLE,
        code(new UploadedArchive(UploadFormat.ZIP, archive).unpack(root, SMALL, () -> true)));
  }

  private void assertRefused(String code, ArchiveMaker archive, UploadFormat format) {
    assertEquals(code, code(unpack(archive, format)));
  }

  private static String code(UploadedArchive.Result result) {
    return assertInstanceOf(UploadedArchive.Result.Refused.class, result).failure().code();
  }

  private UploadedArchive.Result unpack(ArchiveMaker archive, UploadFormat format) {
    return new UploadedArchive(format, archive.bytes()).unpack(root, SMALL, () -> false);
  }

  private String mode(String path) throws Exception {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(root.resolve(path), LinkOption.NOFOLLOW_LINKS));
  }
}
