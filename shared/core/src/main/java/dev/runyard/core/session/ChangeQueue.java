package dev.runyard.core.session;

import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.core.thread.QueueChange;
import dev.runyard.core.thread.ThreadDecision;
import dev.runyard.core.thread.ThreadLog;
import dev.runyard.core.thread.ThreadState;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What people do with the turns of a thread that wait, and with the one that runs. A turn that is
/// taken out is ended first, so that it cannot begin any more, and then loses its place; who stops
/// in between leaves a turn that has ended, and gives its place back like any other.
public final class ChangeQueue {
  private static final String REMOVED = "removed from the queue";

  private final ThreadTurns turns;
  private final CancelRun cancel;

  public ChangeQueue(ThreadTurns turns, CancelRun cancel) {
    this.turns = turns;
    this.cancel = cancel;
  }

  /// Why somebody wants it, and who.
  public record Wish(String reason, Requester by) {}

  /// What became of a wish.
  public sealed interface Result {
    /// The thread after it.
    record Done(ThreadState thread) implements Result {}

    /// It was so already.
    record Unchanged(ThreadState thread) implements Result {}

    /// The turn has begun or ended.
    record NotQueued() implements Result {}
  }

  /// True for a run that is behind others of its thread.
  public boolean waits(RunState.Existing run) {
    return !run.facts().request().begins(run.facts().run())
        && turns.read(ThreadTurns.In.of(run)).runs().indexOf(run.facts().run().runId()) > 0;
  }

  /// Ends a turn that waits, before it begins. For one that was so ended already, nothing changes.
  public Result remove(ThreadTurns.In in, RunState.Existing turn, Requester by) {
    RunKey run = turn.facts().run();
    ThreadState before = turns.read(in);
    if (before.runs().indexOf(run.runId()) > 0) {
      return cancel.withdraw(run, REMOVED, by)
          ? new Result.Done(
              turns.withdraw(in, Set.of(run.runId()), QueueChange.REMOVED, by).state())
          : new Result.NotQueued();
    }
    return CancelRun.isWithdrawn(turn) ? new Result.Unchanged(before) : new Result.NotQueued();
  }

  /// Makes a turn that waits the next one.
  ///
  /// @param again whether the same was asked before: the turn may have begun since
  public Result promote(ThreadTurns.In in, String runId, boolean again, Requester by) {
    Result result = of(turns.promote(in, runId, by));
    return again && result instanceof Result.NotQueued
        ? new Result.Unchanged(turns.read(in))
        : result;
  }

  /// The turn that the thread has.
  public Optional<RunState.Open> current(ThreadTurns.In in) {
    return turns.current(in);
  }

  /// What an interrupt is for, however often it comes: a turn, and with it those that waited then.
  ///
  /// @param runId the run of the turn
  /// @param newest the newest of those that waited and are to be removed
  public record Meant(String runId, Optional<String> newest) {
    private static final String AND = "/";

    public String text() {
      return newest.map(id -> runId + AND + id).orElse(runId);
    }

    /// Reads what [#text] made.
    public static Meant of(String text) {
      String[] parts = text.split(AND, 2);
      return new Meant(parts[0], parts.length == 2 ? Optional.of(parts[1]) : Optional.empty());
    }
  }

  /// What an interrupt of the run is for now. Where that is not the turn which the thread has,
  /// nothing is to be removed.
  public Meant meant(ThreadTurns.In in, String runId, boolean clear) {
    boolean current =
        clear && current(in).filter(open -> open.facts().run().runId().equals(runId)).isPresent();
    return new Meant(
        runId,
        current
            ? turns.read(in).runs().stream().filter(id -> !id.equals(runId)).max(String::compareTo)
            : Optional.empty());
  }

  /// Ends the running turn, and removes those that wait as long as it does. True if either was
  /// there; another turn than the one that is meant is not ended.
  public boolean interrupt(ThreadTurns.In in, Meant meant, Wish wish) {
    RunKey run = new RunKey(in.thread().tenant(), meant.runId());
    boolean runs = turns.current(in).filter(open -> run.equals(open.facts().run())).isPresent();
    boolean cleared = meant.newest().filter(newest -> clear(in, run, newest, wish)).isPresent();
    if (runs) {
      var _ = cancel.cancel(run, wish.reason(), wish.by());
    }
    return runs || cleared;
  }

  private boolean clear(ThreadTurns.In in, RunKey running, String newest, Wish wish) {
    List<String> waiting =
        turns.read(in).runs().stream()
            .filter(id -> !id.equals(running.runId()) && id.compareTo(newest) <= 0)
            .toList();
    Set<String> gone = new HashSet<>();
    for (String runId : waiting) {
      if (cancel.withdraw(new RunKey(running.tenant(), runId), REMOVED, wish.by())) {
        gone.add(runId);
      }
    }
    if (!gone.isEmpty()) {
      turns.withdraw(in, gone, QueueChange.CLEARED, wish.by());
    }
    return !gone.isEmpty();
  }

  private static Result of(ThreadLog.Outcome outcome) {
    return switch (outcome.decision()) {
      case ThreadDecision.Append _ -> new Result.Done(outcome.state());
      case ThreadDecision.Stay _, ThreadDecision.Stale _, ThreadDecision.Busy _ ->
          new Result.Unchanged(outcome.state());
      case ThreadDecision.NotQueued _ -> new Result.NotQueued();
    };
  }
}
