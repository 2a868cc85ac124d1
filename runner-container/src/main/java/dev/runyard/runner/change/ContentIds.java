package dev.runyard.runner.change;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The names that git and LFS have for contents, without git, to which no file of an agent is given
/// that has not changed.
///
/// @param algorithm of the repository's objects
record ContentIds(String algorithm, Deadline deadline) {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final String OF_POINTERS = "SHA-256";

  String id(byte[] content) throws IOException, TakingFailed {
    return id(content.length, () -> new ByteArrayInputStream(content));
  }

  /// The name of an object with this content.
  String id(long bytes, WorkspaceWalk.Content content) throws IOException, TakingFailed {
    MessageDigest digest = digest(algorithm);
    digest.update(("blob " + bytes + "\0").getBytes(StandardCharsets.US_ASCII));
    return hex(digest, content);
  }

  /// Whether a pointer of LFS, if there is one, leads to this content.
  boolean isContentOf(@Nullable String pointer, WorkspaceWalk.Content content)
      throws IOException, TakingFailed {
    return pointer != null && hex(digest(OF_POINTERS), content).equals(pointer);
  }

  private String hex(MessageDigest digest, WorkspaceWalk.Content content)
      throws IOException, TakingFailed {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = content.open()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
        deadline.check();
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
