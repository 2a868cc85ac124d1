package dev.runyard.cli.folder;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.runner.upload.UnpackBounds;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/// The files of a folder as one archive, and what each was. The same files make the same bytes,
/// whoever packs them and whenever: names in order, without owners and times.
///
/// @param archive a tar.gz
/// @param sha256 of it
/// @param state of each file, by path
public record PackedFolder(
    Path folder, Path archive, long bytes, String sha256, Map<String, Fingerprint> state) {
  /// The kind of archive, as requests name it.
  public static final String FORMAT = "tar.gz";

  private static final int FILE_MODE = 0644;
  private static final int PROGRAM_MODE = 0755;
  private static final int LINK_MODE = 0777;

  public PackedFolder {
    state = Map.copyOf(state);
  }

  /// Packs files into an archive, which the caller removes.
  public static PackedFolder pack(Path folder, FolderFiles files, Path archive)
      throws IOException, FolderFiles.Unusable {
    if (files.entries() > ChangeBounds.ENTRIES_MAX) {
      throw FolderFiles.tooMany();
    }
    MessageDigest digest = Fingerprint.sha256();
    Map<String, Fingerprint> state = new TreeMap<>();
    long contents = 0;
    try (OutputStream out =
            new DigestOutputStream(
                new BufferedOutputStream(Files.newOutputStream(archive)), digest);
        TarArchiveOutputStream tar =
            new TarArchiveOutputStream(new GZIPOutputStream(out, 64 * 1024), "UTF-8")) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
      tar.setAddPaxHeadersForNonAsciiNames(true);
      for (String path : files.paths()) {
        contents += write(folder, path, tar, state);
        if (Files.size(archive) > Limits.UPLOAD_BYTES_MAX) {
          throw tooLarge();
        }
      }
    }
    long bytes = Files.size(archive);
    if (bytes > Limits.UPLOAD_BYTES_MAX) {
      throw tooLarge();
    }
    long unpacked = UnpackBounds.OF_UPLOADS.bytesOf(bytes);
    if (contents > unpacked) {
      throw new FolderFiles.Unusable(
          "the files are %d bytes, and these may be at most %d".formatted(contents, unpacked));
    }
    return new PackedFolder(
        folder, archive, bytes, HexFormat.of().formatHex(digest.digest()), state);
  }

  private static FolderFiles.Unusable tooLarge() {
    return new FolderFiles.Unusable(
        "the files are more than %d bytes when packed".formatted(Limits.UPLOAD_BYTES_MAX));
  }

  /// The bytes of its content.
  private static long write(
      Path folder, String path, TarArchiveOutputStream tar, Map<String, Fingerprint> state)
      throws IOException {
    Path file = folder.resolve(path);
    if (path.endsWith("/")) {
      TarArchiveEntry entry = new TarArchiveEntry(path, TarConstants.LF_DIR);
      begin(tar, entry, PROGRAM_MODE);
      tar.closeArchiveEntry();
    } else if (Files.isSymbolicLink(file)) {
      TarArchiveEntry entry = new TarArchiveEntry(path, TarConstants.LF_SYMLINK);
      entry.setLinkName(Files.readSymbolicLink(file).toString());
      begin(tar, entry, LINK_MODE);
      tar.closeArchiveEntry();
      state.put(path, Fingerprint.of(file));
    } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      TarArchiveEntry entry = new TarArchiveEntry(path);
      entry.setSize(Files.size(file));
      boolean program =
          Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_EXECUTE);
      begin(tar, entry, program ? PROGRAM_MODE : FILE_MODE);
      state.put(path, Fingerprint.copied(file, tar, entry.getSize()));
      tar.closeArchiveEntry();
      return entry.getSize();
    }
    return 0;
  }

  private static void begin(TarArchiveOutputStream tar, TarArchiveEntry entry, int mode)
      throws IOException {
    entry.setModTime(0);
    entry.setIds(0, 0);
    entry.setNames("", "");
    entry.setMode(mode);
    tar.putArchiveEntry(entry);
  }
}
