package dev.runyard.core.artifact;

import java.util.Optional;
import java.util.regex.Pattern;

/// Whole objects by key. A get sees every earlier put; the last put wins.
///
/// A key is `<tenant>/` and up to 1,000 characters of `[A-Za-z0-9._/-]`, without empty, `.` or `..`
/// segments. Calls fail with [dev.runyard.core.problem.PortUnavailable] if the store does not
/// answer.
public interface ArtifactStore {
  int OBJECT_BYTES_MAX = 64 * 1024 * 1024;

  void put(String key, byte[] content);

  /// The object; empty when there is none.
  Optional<byte[]> get(String key);

  /// The object with its version, to replace it later.
  Optional<Versioned> find(String key);

  /// Puts the object if the stored one still has that version, or, without a version, if there is
  /// none. Otherwise returns false and puts nothing. If the stored object has the same content,
  /// that counts as put.
  boolean replace(String key, Optional<String> version, byte[] content);

  /// Removes the object, if it is there.
  void delete(String key);

  /// An object as it was read.
  ///
  /// @param version differs from that of any later object, unless that has the same content
  @SuppressWarnings("ArrayRecordComponent")
  record Versioned(byte[] content, String version) {}

  /// Throws for a text that is not a key: it could lead to another tenant's objects.
  static String checked(String key) {
    if (!Keys.KEY.matcher(key).matches()) {
      throw new IllegalArgumentException("not a key: " + key);
    }
    return key;
  }

  /// The form of a key.
  final class Keys {
    private static final Pattern KEY =
        Pattern.compile("(?=.{3,1024}$)(?!.*(^|/)\\.{1,2}(/|$))[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)+");

    private Keys() {}
  }
}
