package dev.runyard.core.thread;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;
import dev.runyard.core.ids.TurnIds;
import java.util.regex.Pattern;

/// The tenant and id of a thread.
public record ThreadKey(String tenant, String id) implements StreamKey {
  public static final StreamKind KIND = new StreamKind("thread");

  /// Most bytes of the id of a thread that a client names.
  public static final int ID_BYTES_MAX = 128;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,134}");

  public ThreadKey {
    if (!RunKey.isTenant(tenant) || !isThreadId(id)) {
      throw new IllegalArgumentException("not a thread: " + tenant + " " + id);
    }
  }

  /// True for an id that a thread can have: one that a client may name, or that of the thread of a
  /// session.
  public static boolean isThreadId(String text) {
    return ID.matcher(text).matches()
        && (text.length() <= ID_BYTES_MAX || TurnIds.isThreadOfSession(text));
  }

  /// The thread of `<tenant>#thread#<threadId>`.
  ///
  /// @throws IllegalArgumentException when it is of another kind
  public static ThreadKey ofPartition(String partition) {
    String[] parts = partition.split("#", 3);
    if (parts.length != 3 || !parts[1].equals(KIND.name())) {
      throw new IllegalArgumentException("not a thread's partition: " + partition);
    }
    return new ThreadKey(parts[0], parts[2]);
  }

  @Override
  public StreamKind kind() {
    return KIND;
  }
}
