package dev.runyard.core.session;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.LeftWorkspace;
import dev.runyard.core.artifact.LeftWorkspaces;
import dev.runyard.core.artifact.SavedState;
import dev.runyard.core.artifact.SavedStates;
import dev.runyard.core.event.Requester;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.run.RunState;
import dev.runyard.core.thread.ThreadDecision;
import dev.runyard.core.thread.ThreadLog;
import dev.runyard.core.thread.ThreadOrigin;
import dev.runyard.core.thread.ThreadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Has a thread go on from what one of its turns left: its agent's memory and files, as they are
/// kept. That is one fact of the thread, which the attempts of later turns read; nothing is moved.
/// It waits for no turn: a thread that has one is left as it is.
public final class GoOnFrom {
  /// Most rounds of one call. Each one means that the thread has changed meanwhile.
  private static final int ROUNDS_MAX = 20;

  /// Most pages of turns that are looked at.
  private static final int PAGES_MAX = 50;

  private final ThreadTurns turns;
  private final ReadThread read;
  private final RunLog runs;
  private final Supplier<ArtifactStore> store;

  /// @param store has what turns left
  public GoOnFrom(ThreadTurns turns, ReadThread read, RunLog runs, Supplier<ArtifactStore> store) {
    this.turns = turns;
    this.read = read;
    this.runs = runs;
    this.store = store;
  }

  /// What became of it.
  public sealed interface Result {
    /// The thread goes on from there now.
    record Done(ThreadState thread, ThreadOrigin from) implements Result {}

    /// It did so already.
    record Unchanged(ThreadState thread, ThreadOrigin from) implements Result {}

    /// A turn runs or waits.
    record Busy() implements Result {}

    /// The thread is not as it was when this was first asked.
    record Late() implements Result {}

    /// What the turn left is not kept.
    record Gone() implements Result {}
  }

  /// Which turns it undoes.
  public enum How {
    /// Those after the turn are taken back.
    BACK,
    /// The same, told as a thread that is put together again.
    TO,
    /// Only those of which nothing is kept, whichever agents they had.
    NEWEST
  }

  /// What somebody wants.
  ///
  /// @param turn to go on from
  /// @param meant the sequence of the thread that it is for, where the same was asked before
  public record Wish(RunState.Existing turn, How how, Requester by, Optional<Long> meant) {}

  /// The sequence of the thread as it is.
  public long sequence(ThreadTurns.In in) {
    return turns.read(in).sequence();
  }

  /// The newest turn that was not taken back and of whose agent the memory is kept.
  public Optional<RunState.Existing> newest(ThreadTurns.In in) {
    ThreadOrigin base = turns.base(in, turns.read(in));
    Map<String, List<SavedState>> lines = new HashMap<>();
    return newestTurns(in).stream()
        .flatMap(List::stream)
        .filter(run -> run instanceof RunState.Closed && !base.isUndone(id(run)))
        .filter(
            run ->
                remembers(
                    run, lines.computeIfAbsent(run.facts().request().agent(), _ -> states(run))))
        .max(Comparator.comparing(GoOnFrom::ended));
  }

  /// Does it, unless the thread has a turn or what the turn left is gone.
  public Result goOn(ThreadTurns.In in, Wish wish) {
    RunState.Existing turn = wish.turn();
    if (!(turn instanceof RunState.Closed)) {
      return new Result.Busy();
    }
    List<SavedState> states = states(turn);
    if (!isKept(turn, states)) {
      return new Result.Gone();
    }
    for (int i = 0; i < ROUNDS_MAX; i++) {
      ThreadState seen = turns.read(in);
      Optional<Result> repeated = repeated(in, wish, seen);
      if (repeated.isPresent()) {
        return repeated.get();
      }
      if (!turns.isIdle(in, seen)) {
        return new Result.Busy();
      }
      ThreadOrigin now = turns.base(in, seen);
      Optional<ThreadOrigin> next = base(in, wish, now, states);
      if (next.isEmpty()) {
        return new Result.Gone();
      }
      if (isSame(now, next.get())) {
        return new Result.Unchanged(seen, next.get());
      }
      ThreadLog.Outcome outcome = turns.goOn(in, seen, next.get(), wish);
      if (outcome.decision() instanceof ThreadDecision.Append) {
        return new Result.Done(outcome.state(), next.get());
      }
    }
    throw new IllegalStateException("thread " + in.thread().id() + " does not come to rest");
  }

  /// What a wish comes to that was done before, or that is for a thread as it was.
  private Optional<Result> repeated(ThreadTurns.In in, Wish wish, ThreadState seen) {
    long meant = wish.meant().orElse(seen.sequence());
    if (seen.sequence() == meant) {
      return Optional.empty();
    }
    ThreadOrigin base = turns.base(in, seen);
    boolean done = seen.base() > meant && base.runId().equals(id(wish.turn()));
    return Optional.of(done ? new Result.Unchanged(seen, base) : new Result.Late());
  }

  /// What the next turn begins with is the same if the same turns are undone.
  private static boolean isSame(ThreadOrigin now, ThreadOrigin next) {
    return now.undone().containsAll(next.undone()) && next.undone().containsAll(now.undone());
  }

  /// The turn with those that are undone then; empty if there are too many, or they cannot be told.
  private Optional<ThreadOrigin> base(
      ThreadTurns.In in, Wish wish, ThreadOrigin now, List<SavedState> states) {
    RunState.Existing turn = wish.turn();
    List<String> line = states.stream().map(SavedState::runId).toList();
    int at = line.indexOf(id(turn));
    List<String> history = at < 0 ? List.of(id(turn)) : line.subList(at, line.size());
    Optional<List<RunState.Existing>> newest = newestTurns(in);
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    List<RunState.Existing> known = newest.get();
    Set<String> later = new HashSet<>(line.subList(0, Math.max(at, 0)));
    if (wish.how() == How.NEWEST) {
      later.addAll(lost(known, now));
    } else {
      known.stream().filter(run -> isAfter(run, turn)).map(GoOnFrom::id).forEach(later::add);
    }
    history.forEach(later::remove);
    if (later.size() > ThreadOrigin.UNDONE_MAX) {
      return Optional.empty();
    }
    later.addAll(now.undone());
    history.forEach(later::remove);
    Map<String, Instant> ends =
        known.stream()
            .collect(Collectors.toMap(GoOnFrom::id, GoOnFrom::ended, (first, _) -> first));
    List<String> undone =
        later.stream()
            .sorted(Comparator.comparing(id -> ends.getOrDefault(id, Instant.MIN)))
            .toList()
            .reversed();
    return Optional.of(
        new ThreadOrigin(
            turn.facts().request().turnOf(turn.facts().run()).turnId(),
            id(turn),
            undone.subList(0, Math.min(undone.size(), ThreadOrigin.UNDONE_MAX))));
  }

  /// The turns of which nothing is kept, behind one of the same agent of which something is: its
  /// next run would find only what is lost.
  private Set<String> lost(List<RunState.Existing> known, ThreadOrigin now) {
    Map<String, List<SavedState>> lines = new HashMap<>();
    known.forEach(run -> lines.computeIfAbsent(run.facts().request().agent(), _ -> states(run)));
    Set<String> lost = new HashSet<>();
    for (List<SavedState> line : lines.values()) {
      List<SavedState> left = line.stream().filter(state -> !now.isUndone(state.runId())).toList();
      List<SavedState> gone = left.stream().takeWhile(state -> state.archive() == null).toList();
      if (gone.size() < left.size()) {
        gone.forEach(state -> lost.add(state.runId()));
      }
    }
    return lost;
  }

  private static boolean isAfter(RunState.Existing run, RunState.Existing turn) {
    return run instanceof RunState.Closed && ended(run).isAfter(ended(turn));
  }

  /// The newest turns, as they are where the index lags: all of them, or more than may be undone.
  /// Empty where the session has too many other runs between them.
  private Optional<List<RunState.Existing>> newestTurns(ThreadTurns.In in) {
    List<RunState.Existing> newest = new ArrayList<>();
    Optional<String> from = Optional.empty();
    for (int i = 0; i < PAGES_MAX; i++) {
      RunPage page = read.page(in, ThreadOrigin.UNDONE_MAX, from);
      page.runs().forEach(run -> newest.add(now(run)));
      from = page.next();
      if (from.isEmpty() || newest.size() > ThreadOrigin.UNDONE_MAX) {
        return Optional.of(newest);
      }
    }
    return Optional.empty();
  }

  private RunState.Existing now(RunState.Existing run) {
    boolean over = run instanceof RunState.Closed;
    return !over && runs.load(run.facts().run()) instanceof RunState.Existing now ? now : run;
  }

  private List<SavedState> states(RunState.Existing turn) {
    return new SavedStates(store.get())
        .line(
            turn.facts().run().tenant(),
            turn.facts().request().agent(),
            turn.facts().request().memoryId());
  }

  /// An agent that remembers nothing may have left files.
  private boolean isKept(RunState.Existing turn, List<SavedState> states) {
    return states.isEmpty()
        ? new LeftWorkspaces(store.get())
            .of(turn.facts().run())
            .filter(LeftWorkspace::kept)
            .isPresent()
        : remembers(turn, states);
  }

  private static boolean remembers(RunState.Existing turn, List<SavedState> states) {
    return states.stream()
        .anyMatch(state -> state.runId().equals(id(turn)) && state.archive() != null);
  }

  private static String id(RunState.Existing run) {
    return run.facts().run().runId();
  }

  private static Instant ended(RunState.Existing run) {
    return run instanceof RunState.Closed closed ? closed.finishedAt() : Instant.MAX;
  }
}
