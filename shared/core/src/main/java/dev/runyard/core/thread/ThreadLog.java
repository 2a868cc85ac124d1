package dev.runyard.core.thread;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.log.StreamLog;
import dev.runyard.core.stream.Chain;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// The one way to read and change a thread. Each change of its order has all of it, so the newest
/// chunk is as good as a snapshot, and a thread of many turns costs no more than one of few.
public final class ThreadLog {
  private static final ThreadStream TYPE = new ThreadStream();

  private final EventLog log;
  private final StreamLog<ThreadState, ThreadChange, ThreadDecision, StoredThreadEvent> threads;

  /// @param writer names the process in what it appends
  public ThreadLog(EventLog log, InstantSource clock, Ids ids, String writer) {
    this.log = log;
    this.threads = new StreamLog<>(TYPE, log, Snapshots.none(), clock, ids, writer);
  }

  /// The thread's current state, which includes every acknowledged append.
  public ThreadState load(ThreadKey thread) {
    return log.chunkAt(thread, Long.MAX_VALUE)
        .map(newest -> behind(thread, newest))
        .orElse(ThreadState.ABSENT);
  }

  /// What the thread goes on from, if its state says that somebody has said so and that is still
  /// kept: what it leads to is not kept for longer.
  public ThreadOrigin base(ThreadKey thread, ThreadState state) {
    return state.base() == 0
        ? ThreadOrigin.NONE
        : log.chunkAt(thread, state.base()).stream()
            .flatMap(chunk -> chunk.events(ThreadCodec.THREADS).stream())
            .filter(event -> event.sequence() == state.base())
            .map(StoredThreadEvent::event)
            .filter(ThreadEvent.Based.class::isInstance)
            .map(event -> ((ThreadEvent.Based) event).base())
            .findFirst()
            .orElse(ThreadOrigin.NONE);
  }

  private ThreadState behind(ThreadKey thread, Chunk chunk) {
    List<StoredThreadEvent> events = chunk.events(ThreadCodec.THREADS);
    ThreadState state =
        events.stream().anyMatch(StoredThreadEvent::hasOrder) || chunk.first() == 1
            ? ThreadState.before(chunk.first() - 1)
            : log.chunkAt(thread, chunk.first() - 1)
                .map(earlier -> behind(thread, earlier))
                .orElse(ThreadState.before(chunk.first() - 1));
    Optional<Chain> chain = state.chain();
    for (StoredThreadEvent event : events) {
      state = state.then(event);
    }
    return state.chained(Chain.behind(chain, chunk.first(), chunk.previous(), chunk.hash()));
  }

  /// Executes the command on the thread, whose state is `from` or later.
  public Outcome execute(ThreadKey thread, ThreadState from, ThreadChange command) {
    StreamLog.Result<ThreadState, ThreadDecision, StoredThreadEvent> result =
        threads.execute(thread, from, command);
    return new Outcome(result.decision(), result.state());
  }

  public Outcome execute(ThreadKey thread, ThreadChange command) {
    return execute(thread, load(thread), command);
  }

  /// What became of a command.
  ///
  /// @param state of the thread after it
  public record Outcome(ThreadDecision decision, ThreadState state) {}
}
