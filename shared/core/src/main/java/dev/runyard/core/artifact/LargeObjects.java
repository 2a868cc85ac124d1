package dev.runyard.core.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;

/// Objects that may be too large for memory, under the keys of an [ArtifactStore]. They are put
/// from where they are, and clients get them at addresses that need no other proof: by no function,
/// and as slowly as they like.
///
/// Calls fail with [dev.runyard.core.problem.PortUnavailable] if the store does not answer.
public interface LargeObjects {
  /// How long an address opens its object. A download that has begun by then may go on.
  int ADDRESS_SECONDS = 900;

  /// Puts an object. Nothing is at its key before all of it is, and nothing if the content cannot
  /// be read or is not what it says.
  ///
  /// @throws IOException if the content cannot be read
  void put(String key, Content content) throws IOException;

  /// Whether there is an object.
  boolean holds(String key);

  /// Where a client gets the object until a time, in parts if it likes. That it is there is not
  /// looked up.
  ///
  /// @return absolute, or a path of the API's own server
  String address(String key, Label label, Instant until);

  /// What is put.
  interface Content {
    long bytes();

    /// In hexadecimal.
    String sha256();

    /// From its beginning; it may be opened again if a try fails.
    InputStream open() throws IOException;
  }

  /// As what a client gets it: always as an attachment.
  ///
  /// @param name of the file, in which anything may be
  record Label(String name, String contentType) {}
}
