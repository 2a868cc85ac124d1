package dev.runyard.core.ids;

import java.util.regex.Pattern;

/// A kind of thing that has its own event log; `run` is one. Its name is in the partition key of
/// every log of that kind, so it never changes. Snapshots have the same key in the views table:
/// `session`, `key`, `runs`, `jobs`, `hook` and `hooks` are taken there.
public record StreamKind(String name) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z_]{0,30}");
  private static final Pattern PARTITION = Pattern.compile("([^#]+)#([^#]+)#(.+)");

  public StreamKind {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not a kind of stream: " + name);
    }
  }

  /// The kind of the log with this partition key.
  ///
  /// @throws IllegalArgumentException when the text is not the partition key of a log
  public static StreamKind ofPartition(String partition) {
    var parts = PARTITION.matcher(partition);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not a partition of the log: " + partition);
    }
    return new StreamKind(parts.group(2));
  }
}
