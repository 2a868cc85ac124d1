package dev.runyard.runner.workspace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The files of a workspace that are not as an agent left them: they had a secret when they were
/// kept, in whose place other characters are. They are known by their names, whatever becomes of
/// them, and by their contents, wherever they are copied to.
public final class AlteredFiles {
  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private final Set<String> contents = ConcurrentHashMap.newKeySet();

  /// Adds some that are there again.
  ///
  /// @param root what the names are relative to
  public void add(Path root, Collection<String> restored) throws IOException {
    for (String name : restored) {
      names.add(name);
      Path file = root.resolve(name);
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        contents.add(digest(Files.newInputStream(file)));
      }
    }
  }

  /// True if none is known.
  public boolean isEmpty() {
    return names.isEmpty();
  }

  /// True for the name of one.
  public boolean has(String name) {
    return names.contains(name);
  }

  /// True for what one had as content when it was restored. Reads all of it, and closes it.
  public boolean isOne(InputStream content) throws IOException {
    return contents.contains(digest(content));
  }

  private static String digest(InputStream content) throws IOException {
    try (DigestInputStream in =
        new DigestInputStream(content, MessageDigest.getInstance("SHA-256"))) {
      byte[] buffer = new byte[64 * 1024];
      int n = in.read(buffer);
      while (n >= 0) {
        n = in.read(buffer);
      }
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
