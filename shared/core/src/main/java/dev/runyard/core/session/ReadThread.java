package dev.runyard.core.session;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.run.RunState;
import dev.runyard.core.thread.QueuedTurn;
import dev.runyard.core.thread.ThreadKey;
import dev.runyard.core.thread.ThreadState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Reads sessions and threads: the order of turns from the thread's log, their runs from the index
/// of the session's runs, however many runs the tenant has. The list of runs may lag; the order and
/// the turn it begins with do not.
public final class ReadThread {
  /// Pages of its session that one page of a thread looks at.
  private static final int PAGES_MAX = 5;

  /// Most threads that are shown of a session, beside the one that it has by itself.
  public static final int THREADS_MAX = 16;

  private final ThreadTurns turns;
  private final RunLog runs;
  private final ReadModels models;

  public ReadThread(ThreadTurns turns, RunLog runs, ReadModels models) {
    this.turns = turns;
    this.runs = runs;
    this.models = models;
  }

  /// A thread as it is.
  ///
  /// @param current the turn that it has, with its run as it is
  /// @param waiting those behind it, in their order
  public record Now(
      ThreadTurns.In in,
      long sequence,
      Optional<RunState.Existing> current,
      List<QueuedTurn> waiting) {
    public Now {
      waiting = List.copyOf(waiting);
    }
  }

  /// The thread of that name; empty if there is none.
  public Optional<Now> thread(String tenant, String threadId) {
    return find(tenant, threadId).map(this::now);
  }

  /// The thread, and the session it is of; empty if there is no such thread.
  public Optional<ThreadTurns.In> find(String tenant, String threadId) {
    if (!ThreadKey.isThreadId(threadId)) {
      return Optional.empty();
    }
    ThreadKey thread = new ThreadKey(tenant, threadId);
    Optional<String> session = turns.session(thread);
    if (session.isPresent() || !TurnIds.isThreadOfSession(threadId)) {
      return session.map(of -> new ThreadTurns.In(thread, of));
    }
    ThreadTurns.In in = new ThreadTurns.In(thread, TurnIds.sessionOf(threadId));
    return begun(tenant, in.sessionId()) || turns.wasKnown(in) ? Optional.of(in) : Optional.empty();
  }

  /// True for a session that a run has begun which named none.
  private boolean begun(String tenant, String sessionId) {
    return RunKey.isRunId(sessionId)
        && runs.load(new RunKey(tenant, sessionId)) instanceof RunState.Existing run
        && run.facts().request().sessionId().equals(sessionId);
  }

  private Now now(ThreadTurns.In in) {
    ThreadState state = turns.read(in);
    Optional<RunState.Existing> current = turns.current(in).map(open -> open);
    List<QueuedTurn> waiting = new ArrayList<>(state.turns());
    current.ifPresent(
        run -> {
          String runId = run.facts().run().runId();
          int at = state.runs().indexOf(runId);
          waiting.subList(0, at + 1).clear();
        });
    return new Now(in, state.sequence(), current, waiting);
  }

  /// Runs of a session, newest first.
  public RunPage page(String tenant, String sessionId, int limit, Optional<String> after) {
    return models.list(tenant, new RunFilter(null, null, sessionId), limit, after);
  }

  /// Runs of a thread, newest first. A page may be short while there is a next one.
  public RunPage page(ThreadTurns.In in, int limit, Optional<String> after) {
    List<RunState.Existing> found = new ArrayList<>();
    Optional<String> from = after;
    for (int i = 0; i < PAGES_MAX; i++) {
      RunPage page = page(in.thread().tenant(), in.sessionId(), limit, from);
      for (RunState.Existing run : page.runs()) {
        if (run.facts().request().threadId().equals(in.thread().id())) {
          found.add(run);
        }
        if (found.size() == limit) {
          boolean last = run.equals(page.runs().getLast()) && page.next().isEmpty();
          return new RunPage(
              found, last ? Optional.empty() : Optional.of(run.facts().run().runId()));
        }
      }
      from = page.next();
      if (from.isEmpty()) {
        break;
      }
    }
    return new RunPage(found, from);
  }

  /// The first page, with the turns that the threads have now and that should be on it: a run's row
  /// is written a little later than the run.
  public RunPage withNew(RunPage first, int limit, List<Now> threads) {
    Set<String> listed = first.runs().stream().map(ReadThread::id).collect(Collectors.toSet());
    String oldest = first.next().orElse("");
    List<RunState.Existing> all = new ArrayList<>(first.runs());
    for (Now thread : threads) {
      thread.current().filter(run -> isNew(id(run), listed, oldest)).ifPresent(all::add);
      thread.waiting().stream()
          .map(QueuedTurn::runId)
          .filter(run -> isNew(run, listed, oldest))
          .map(run -> runs.load(new RunKey(thread.in().thread().tenant(), run)))
          .filter(RunState.Existing.class::isInstance)
          .map(RunState.Existing.class::cast)
          .forEach(all::add);
    }
    if (all.size() == first.runs().size()) {
      return first;
    }
    all.sort(Comparator.comparing(ReadThread::id).reversed());
    return all.size() <= limit
        ? new RunPage(all, first.next())
        : new RunPage(all.subList(0, limit), Optional.of(id(all.get(limit - 1))));
  }

  private static boolean isNew(String runId, Set<String> listed, String oldest) {
    return !listed.contains(runId) && runId.compareTo(oldest) > 0;
  }

  private static String id(RunState.Existing run) {
    return run.facts().run().runId();
  }

  /// A session, if there is one: the threads that runs of a page are in, after the one that it has
  /// by itself if a run is or was in that.
  public List<Now> threads(String tenant, String sessionId, List<RunState.Existing> page) {
    String own = TurnIds.threadOf(sessionId);
    List<Now> threads = new ArrayList<>();
    find(tenant, own).map(this::now).ifPresent(threads::add);
    page.stream()
        .map(run -> run.facts().request().threadId())
        .distinct()
        .filter(Predicate.not(own::equals))
        .limit(THREADS_MAX)
        .map(id -> now(new ThreadTurns.In(new ThreadKey(tenant, id), sessionId)))
        .forEach(threads::add);
    return threads;
  }
}
