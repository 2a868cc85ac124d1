package dev.runyard.cli.folder;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// What a file was: enough to see that it is another now.
///
/// @param kind how git would call it
/// @param content a hash, or a link's target; empty for what is not there
public record Fingerprint(Kind kind, String content) {
  static final Fingerprint ABSENT = new Fingerprint(Kind.ABSENT, "");

  enum Kind {
    FILE,
    PROGRAM,
    LINK,
    OTHER,
    ABSENT
  }

  /// Of what is there now.
  static Fingerprint of(Path file) throws IOException {
    if (Files.isSymbolicLink(file)) {
      return new Fingerprint(Kind.LINK, Files.readSymbolicLink(file).toString());
    }
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return copied(file, OutputStream.nullOutputStream(), Files.size(file));
    }
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? new Fingerprint(Kind.OTHER, "") : ABSENT;
  }

  /// Of a file whose content is copied meanwhile.
  static Fingerprint copied(Path file, OutputStream to, long bytes) throws IOException {
    MessageDigest digest = sha256();
    try (InputStream in = Files.newInputStream(file)) {
      OutputStream both = new DigestOutputStream(to, digest);
      byte[] buffer = new byte[64 * 1024];
      long left = bytes;
      while (left > 0) {
        int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (n < 0) {
          throw new IOException(file + " became shorter while it was read");
        }
        both.write(buffer, 0, n);
        left -= n;
      }
    }
    return new Fingerprint(
        Files.isExecutable(file) ? Kind.PROGRAM : Kind.FILE,
        HexFormat.of().formatHex(digest.digest()));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
