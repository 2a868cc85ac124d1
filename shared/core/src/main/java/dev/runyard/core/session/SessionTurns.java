package dev.runyard.core.session;

import java.util.List;

/// Which runs of a session have not ended, in the order of their turns. One writer at a time wins;
/// the others read again.
public interface SessionTurns {
  /// What is there now, never less than was written; nothing, with version 0, before the first
  /// write.
  Turns read(String tenant, String sessionId);

  /// Puts `next` in the place of what was read, as the version behind it. False when somebody else
  /// has written since.
  boolean write(String tenant, String sessionId, Turns next);

  /// The order.
  ///
  /// @param version of the read this is, or is made from
  /// @param runs ids, the run whose turn it is first
  record Turns(long version, List<String> runs) {
    public static final Turns NONE = new Turns(0, List.of());

    public Turns {
      runs = List.copyOf(runs);
    }

    Turns with(List<String> others) {
      return new Turns(version, others);
    }
  }
}
