package dev.runyard.core.thread;

import dev.runyard.core.event.Requester;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A command to a thread.
public sealed interface ThreadChange {
  /// The thread is to be one of this session.
  record Begin(String sessionId) implements ThreadChange {}

  /// A turn comes, or turns have ended.
  ///
  /// @param sessionId of the thread, should this begin it
  /// @param before the turns that were in order before the thread had a log
  /// @param seen the sequence of the state it was derived from; it is for no other
  /// @param joining gets its place unless it has one
  /// @param ended lose theirs
  record Settle(
      String sessionId,
      long seen,
      List<QueuedTurn> before,
      @Nullable QueuedTurn joining,
      Set<String> ended)
      implements ThreadChange {
    public Settle {
      before = List.copyOf(before);
      ended = Set.copyOf(ended);
    }
  }

  /// A turn comes only if there is no other but those that have ended. If it has the only place, it
  /// takes that again. The members are those of [Settle].
  record Take(
      String sessionId, long seen, List<QueuedTurn> before, QueuedTurn joining, Set<String> ended)
      implements ThreadChange {
    public Take {
      before = List.copyOf(before);
      ended = Set.copyOf(ended);
    }
  }

  /// Runs that will not begin lose their places.
  record Withdraw(Set<String> runs, QueueChange change, @Nullable Requester by)
      implements ThreadChange {
    public Withdraw {
      runs = Set.copyOf(runs);
    }
  }

  /// The thread is to go on from what one of its turns left, while none runs or waits.
  ///
  /// @param seen the sequence of the state whose turns have all ended; it is for no other
  /// @param back whether that takes turns back
  record GoOn(String sessionId, long seen, ThreadOrigin from, boolean back, @Nullable Requester by)
      implements ThreadChange {}

  /// The turn of a run that waits is to be the next.
  record Promote(String runId, @Nullable Requester by) implements ThreadChange {}
}
