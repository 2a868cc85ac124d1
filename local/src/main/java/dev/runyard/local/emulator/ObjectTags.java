package dev.runyard.local.emulator;

import dev.runyard.core.ids.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The tags of objects, which are hashes of their contents. An object's is known from its put on,
/// since to read a large one whole takes longer than a client waits for its headers.
final class ObjectTags {
  private static final int BLOCK_BYTES = 64 * 1024;

  private final Map<Path, String> known = new ConcurrentHashMap<>();

  /// Keeps the tag of what was put.
  String put(Path file, byte[] hash) {
    String tag = tag(hash);
    known.put(file, tag);
    return tag;
  }

  void remove(Path file) {
    known.remove(file);
  }

  /// The tag of an object. One that another server put is read whole, once.
  String of(Path file) throws IOException {
    String tag = known.get(file);
    if (tag != null) {
      return tag;
    }
    String read = tag(hash(file));
    String put = known.putIfAbsent(file, read);
    return put == null ? read : put;
  }

  private static byte[] hash(Path file) throws IOException {
    MessageDigest digest = Digest.begun();
    byte[] block = new byte[BLOCK_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(block); read >= 0; read = in.read(block)) {
        digest.update(block, 0, read);
      }
    }
    return digest.digest();
  }

  /// In quotes, as HTTP requires.
  private static String tag(byte[] hash) {
    return "\"" + HexFormat.of().formatHex(hash) + "\"";
  }
}
