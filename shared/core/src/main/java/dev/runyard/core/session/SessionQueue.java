package dev.runyard.core.session;

import java.util.List;

/// Which runs of a session have not ended, in the order of their turns. One writer at a time wins;
/// the others read again.
public interface SessionQueue {
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
  /// @param indexed true when every run of the session is found by the session; false for an order
  ///   that was first written before runs were
  record Turns(long version, List<String> runs, boolean indexed) {
    public static final Turns NONE = new Turns(0, List.of());

    public Turns(long version, List<String> runs) {
      this(version, runs, true);
    }

    public Turns {
      runs = List.copyOf(runs);
    }

    Turns with(List<String> others) {
      return new Turns(version, others, indexed);
    }
  }
}
