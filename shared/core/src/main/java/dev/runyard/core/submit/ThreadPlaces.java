package dev.runyard.core.submit;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.Busy;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.session.TurnOrder;
import dev.runyard.core.thread.QueuedTurn;
import dev.runyard.core.thread.ThreadKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds the thread that a request is for, and does what it asks where that has a turn already.
final class ThreadPlaces {
  /// Events of a thread that has had one turn: it has begun, and its queue has changed.
  private static final int BEGUN = 2;

  private final TurnOrder order;
  private final ThreadTurns turns;
  private final RunningTurn running;

  ThreadPlaces(TurnOrder order, RunningTurn running) {
    this.order = order;
    this.turns = order.turns();
    this.running = running;
  }

  /// What came of looking for the thread.
  sealed interface Found {
    /// The request with its session, and without a thread that the session has by itself.
    record In(RunRequest request) implements Found {}

    record Nowhere(Problem problem) implements Found {}
  }

  /// The request as its run will have it; a run that names no session begins its own.
  Found find(RunKey run, RunRequest request) {
    String session = request.sessionId();
    String thread = request.inThread() == null ? null : request.inThread().threadId();
    if (thread == null) {
      return new Found.In(session.isEmpty() ? request.inSession(run.runId()) : request);
    }
    boolean own = TurnIds.isThreadOfSession(thread);
    Optional<String> known =
        own
            ? Optional.of(TurnIds.sessionOf(thread))
            : turns.session(new ThreadKey(run.tenant(), thread));
    if (known.isPresent() && !session.isEmpty() && !known.get().equals(session)) {
      return new Found.Nowhere(otherSession());
    }
    RunRequest placed = request.inSession(known.orElse(session.isEmpty() ? run.runId() : session));
    return new Found.In(own ? placed.in(plain(placed)) : placed);
  }

  private static @Nullable InThread plain(RunRequest request) {
    InThread said = request.inThread();
    return said == null ? null : InThread.of(null, said.turnId(), said.busy());
  }

  private static Problem otherSession() {
    return Problem.at(
        ProblemCode.INVALID_REQUEST,
        "/thread_id",
        "The thread is one of another session. Leave session_id out, or name another thread.");
  }

  /// Makes sure that the thread is one of the request's session, as the last step before the run is
  /// there. If another request began the thread meanwhile, a run that names no session is in that
  /// one's.
  Found begin(RunKey run, RunRequest request) {
    String asked = request.sessionId();
    if (request.threadId().equals(TurnIds.threadOf(asked))) {
      return new Found.In(request);
    }
    String session = turns.begin(ThreadTurns.In.of(run.tenant(), request));
    return session.equals(asked) || asked.equals(run.runId())
        ? new Found.In(request.inSession(session))
        : new Found.Nowhere(otherSession());
  }

  /// True for the first run of a thread that requests named.
  boolean isFirst(RunState.Existing run) {
    ThreadTurns.In in = ThreadTurns.In.of(run);
    boolean own = in.thread().id().equals(TurnIds.threadOf(in.sessionId()));
    return !own && turns.read(in).sequence() <= BEGUN;
  }

  /// Why the thread takes no such turn now.
  Optional<Problem> refusal(RunKey run, RunRequest request) {
    if (request.begins(run)) {
      return Optional.empty();
    }
    if (!order.hasRoom(run.tenant(), request)) {
      return Optional.of(
          Problem.of(
              ProblemCode.SESSION_FULL,
              "%d runs of the thread have not ended. Wait until some have, then send the request again."
                  .formatted(TurnOrder.SESSION_RUNS_MAX)));
    }
    return Optional.empty();
  }

  /// The same for a request that is not to wait: if there is no other turn, it has its place.
  Optional<Problem> busy(RunKey run, RunRequest request) {
    if (request.busy() != Busy.REJECT || request.begins(run)) {
      return Optional.empty();
    }
    QueuedTurn turn = new QueuedTurn(request.turnOf(run).turnId(), run.runId());
    return turns.take(ThreadTurns.In.of(run.tenant(), request), turn)
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                ProblemCode.THREAD_BUSY,
                "The thread has a turn that has not ended. Wait until it has, or send another value of"
                    + " busy."));
  }

  /// The run of the turn that the thread of the request has.
  Optional<RunKey> running(RunKey run, RunRequest request) {
    return find(run, request) instanceof Found.In(RunRequest placed) && !placed.begins(run)
        ? turns.current(ThreadTurns.In.of(run.tenant(), placed)).map(open -> open.facts().run())
        : Optional.empty();
  }

  /// Sends the running turn a message, once for the key. Why that is refused, if it is.
  Optional<Problem> tell(RunKey run, String content, String key, Requester by) {
    return running.tell(run, content, key, by);
  }

  /// Gives a place back that [#busy] took for a run that is not to be.
  void leave(RunKey run, RunRequest request) {
    if (request.busy() == Busy.REJECT && !request.begins(run)) {
      order.leave(ThreadTurns.In.of(run.tenant(), request), run.runId());
    }
  }

  /// Makes the run the next one, and ends the one that its thread has. Where that has its place but
  /// is not there yet, it cannot be ended now: whoever sends the request again ends it.
  void interrupt(RunState.Existing run, Requester by) {
    RunKey key = run.facts().run();
    ThreadTurns.In in = ThreadTurns.In.of(run);
    turns.promote(in, key.runId(), by);
    List<String> queued = turns.read(in).runs();
    if (queued.indexOf(key.runId()) > 0
        && !running.end(new RunKey(key.tenant(), queued.getFirst()), by)) {
      throw new PortUnavailable("the turn before " + key.runId() + " is only being written");
    }
  }
}
