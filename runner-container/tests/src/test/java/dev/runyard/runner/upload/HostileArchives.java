package dev.runyard.runner.upload;

import dev.runyard.core.upload.UploadFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.compress.archivers.tar.TarConstants;

/// Archives that try to leave their folder, or to do harm in it: one for each seed, the same every
/// time.
final class HostileArchives {
  private static final List<UploadFormat> FORMATS = List.of(UploadFormat.values());
  private static final List<String> PATHS =
      List.of(
          "../escape",
          "a/../../escape",
          "a/b/../../../escape",
          "/tmp/escape",
          "//tmp/escape",
          "./../escape",
          "..",
          ".",
          "",
          "a/..",
          "..\\escape",
          "C:\\escape",
          ".git/config",
          "a/.GIT/hooks/post-checkout",
          ".git ./config",
          "git~1/config",
          ".g\u200cit/config",
          ".git:x",
          "a\u0000b",
          "a\ufffdb",
          "a\rb",
          "a\nb",
          "\u202etxt.exe",
          "e\u0301",
          "\u00e9",
          "n".repeat(255),
          "n".repeat(256),
          "n".repeat(5000),
          "d/".repeat(99) + "f",
          "d/".repeat(101) + "f",
          "d/".repeat(3000) + "f",
          ".gitmodules",
          ".gitattributes",
          "-rf",
          "con");
  private static final List<String> TARGETS =
      List.of(
          "/etc/passwd",
          "../escape",
          "../../../../../../../../tmp",
          ".",
          "..",
          "",
          "/proc/self/root",
          "loop",
          "t".repeat(5000),
          "a\nb");
  private static final List<Byte> SIGNS =
      List.of(
          TarConstants.LF_CHR,
          TarConstants.LF_BLK,
          TarConstants.LF_FIFO,
          TarConstants.LF_MULTIVOLUME,
          TarConstants.LF_GNUTYPE_SPARSE,
          (byte) 'V',
          (byte) 'Z');
  private static final List<Integer> KINDS = List.of(0020000, 0060000, 0010000, 0140000, 0170000);

  private HostileArchives() {}

  /// The format of the archive of a seed.
  static UploadFormat format(int seed) {
    return FORMATS.get(seed % FORMATS.size());
  }

  /// The archive of a seed.
  static byte[] archive(int seed) {
    Random random = new Random(seed);
    ArchiveMaker archive = new ArchiveMaker(format(seed));
    int entries = 1 + random.nextInt(6);
    for (int i = 0; i < entries; i++) {
      entry(archive, random);
    }
    return harmed(archive.bytes(), random);
  }

  private static void entry(ArchiveMaker archive, Random random) {
    String path = random.nextInt(3) == 0 ? "f" + random.nextInt(3) : one(PATHS, random);
    switch (random.nextInt(9)) {
      case 0, 1, 2 -> archive.file(path, 04777, content(random));
      case 3 -> archive.folder(path);
      case 4, 5 -> archive.link(path, one(TARGETS, random));
      case 6 -> archive.hardLink(path, one(TARGETS, random));
      case 7 -> archive.special(path, one(SIGNS, random), one(KINDS, random));
      default -> archive.link("l", "../outside").file("l/" + random.nextInt(2), "through");
    }
  }

  private static byte[] content(Random random) {
    byte[] content = new byte[random.nextInt(20) == 0 ? 300_000 : random.nextInt(200)];
    if (random.nextBoolean()) {
      random.nextBytes(content);
    }
    return content;
  }

  /// Cut off, or with other bytes at some places; half of them are left whole.
  private static byte[] harmed(byte[] archive, Random random) {
    switch (random.nextInt(6)) {
      case 0 -> {
        return Arrays.copyOf(archive, random.nextInt(archive.length + 1));
      }
      case 1 -> {
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
          archive[random.nextInt(archive.length)] = (byte) random.nextInt();
        }
        return archive;
      }
      case 2 -> {
        byte[] more = Arrays.copyOf(archive, archive.length + 1 + random.nextInt(100));
        Arrays.fill(more, archive.length, more.length, (byte) random.nextInt());
        return more;
      }
      default -> {
        return archive;
      }
    }
  }

  private static <T> T one(List<T> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }
}
