package dev.runyard.core.problem;

import dev.runyard.core.limits.Bounds;

/// JSON pointers (RFC 6901) into a request body. A member name comes from the caller: a long one is
/// cut, invalid Unicode is replaced.
public final class Pointer {
  private static final int SEGMENT_BYTES_MAX = 128;

  private Pointer() {}

  /// The pointer to the value reached through these member names and indexes.
  public static String of(String... segments) {
    StringBuilder pointer = new StringBuilder();
    for (String segment : segments) {
      pointer.append(child("", segment));
    }
    return pointer.toString();
  }

  /// The pointer to a member of the value at `parent`.
  public static String child(String parent, String segment) {
    String name = Bounds.truncate(Bounds.wellFormed(segment), SEGMENT_BYTES_MAX);
    return parent + "/" + name.replace("~", "~0").replace("/", "~1");
  }
}
