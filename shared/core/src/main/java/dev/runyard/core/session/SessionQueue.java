package dev.runyard.core.session;

import java.util.List;

/// Which runs of a session have not ended, in the order of their turns. Of concurrent writers one
/// wins; the others read again.
public interface SessionQueue {
  /// The current order, which includes every acknowledged write; empty, with version 0, before the
  /// first write.
  Turns read(String tenant, String sessionId);

  /// Replaces what was read by `next`, as the next version. False when somebody else has written
  /// since.
  boolean write(String tenant, String sessionId, Turns next);

  /// The order.
  ///
  /// @param version of the read that this is, or is derived from
  /// @param runs ids, the run whose turn it is first
  /// @param indexed true when every run of the session can be found by the session; false for an
  ///   order that is older than that index
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
