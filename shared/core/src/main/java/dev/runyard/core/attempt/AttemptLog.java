package dev.runyard.core.attempt;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.EventSize;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.StreamLog;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes one attempt's events: gathers them into chunks, keeps their order, and repeats an
/// unanswered chunk until the log says whether it was written.
final class AttemptLog {
  /// Events of one chunk at most.
  static final int CHUNK_EVENTS_MAX = 1000;

  /// Text of one chunk at most, before deflating.
  static final int CHUNK_TEXT_BYTES_MAX = 192 * 1024;

  private final RunLog log;
  private final RunKey run;
  private final String attemptId;
  private final List<Pending> pending = new ArrayList<>();
  private RunState.Existing state;
  private @Nullable Chunk unanswered;
  private @Nullable Instant oldest;
  private int pendingBytes;
  private boolean urgent;
  private boolean awaited;
  private boolean fenced;

  /// An event that is not written yet, and when it happened.
  private record Pending(RunEvent event, Instant at) {}

  AttemptLog(RunLog log, RunKey run, String attemptId, RunState.Existing state) {
    this.log = log;
    this.run = run;
    this.attemptId = attemptId;
    this.state = state;
  }

  /// True while this attempt, and no other, may write.
  static boolean isOpenFor(String attemptId, RunState state) {
    return state instanceof RunState.Claimed run && run.attempt().id().equals(attemptId);
  }

  RunState.Existing state() {
    return state;
  }

  /// True once a client wants the run to end.
  boolean cancelling() {
    return state() instanceof RunState.Cancelling;
  }

  /// True while somebody wants the run to give its place up.
  boolean putAside() {
    return state.facts().putAside();
  }

  /// True while a person is to decide something the agent asked.
  boolean awaiting() {
    return state instanceof RunState.InProgress current && current.awaiting();
  }

  /// True when another writer has ended or taken over this attempt, so that it may not write any
  /// more.
  boolean fenced() {
    return fenced;
  }

  int pending() {
    return pending.size();
  }

  /// Upper bound of the bytes that are pending.
  int pendingBytes() {
    return pendingBytes;
  }

  void add(RunEvent event, Instant now) {
    pending.add(new Pending(event, now));
    pendingBytes += EventSize.atMost(event);
    urgent |= event instanceof RunEvent.StateChange;
    awaited |= !(event instanceof RunEvent.Output);
    if (oldest == null) {
      oldest = now;
    }
  }

  /// When what is pending must be written; null when nothing is. An unanswered chunk comes before
  /// any read of the tail, which may contain it. Only output waits for longer than what others
  /// decide by, and only while nobody is to answer the agent.
  @Nullable Instant dueAt(AttemptTimers timers, Instant now) {
    if (oldest == null) {
      return null;
    }
    boolean full = pending.size() >= CHUNK_EVENTS_MAX || pendingBytes >= CHUNK_TEXT_BYTES_MAX;
    if (full || urgent || unanswered != null) {
      return oldest;
    }
    return oldest.plus(awaited || awaiting() ? timers.shortWindow() : timers.window(now));
  }

  /// The clock was set back to `now`.
  void rewind(Instant now) {
    if (oldest != null) {
      oldest = now;
    }
  }

  /// Writes everything pending, unless the attempt is fenced.
  void flush() {
    while (!pending.isEmpty() && !fenced) {
      int count = unanswered == null ? chunkSize() : unanswered.count();
      write(List.copyOf(pending.subList(0, count)));
    }
    if (fenced) {
      drop(pending.size());
    }
    oldest = null;
    urgent = false;
    awaited = false;
  }

  /// Writes what is due, else shows a sign of life if that is due, else checks whether others
  /// appended something. The checks come last, so that failing reads delay no write.
  void keepUp(AttemptTimers timers, Instant now) {
    Instant due = dueAt(timers, now);
    boolean write = due != null && !due.isAfter(now);
    if (write || timers.heartbeatDue(now)) {
      if (pending.isEmpty()) {
        add(new RunEvent.RunStatus(state.phase()), now);
      }
      flush();
      timers.wrote(now);
    } else if (timers.lookDue(now)) {
      look();
      timers.looked(now);
    }
  }

  /// Reads what others appended. A chunk that may be in the log is settled first, or it would be
  /// taken for theirs.
  void look() {
    Chunk open = unanswered;
    if (open != null && !fenced) {
      write(List.copyOf(pending.subList(0, open.count())));
    }
    catchUp();
  }

  /// Reads what others appended.
  void catchUp() {
    state = (RunState.Existing) log.catchUp(run, state);
    checkFence();
  }

  /// Refuses an action whose time is over, unless somebody decided it before. Nothing may be
  /// pending.
  void expire(Action action, Instant now) {
    log.execute(
        run,
        state,
        new RunCommand.Resolve(
            action.actionId(), ActionDecision.TIMED_OUT, null, ActionRequests.BY_TIMEOUT, now));
    catchUp();
  }

  private void write(List<Pending> events) {
    RunCommand report =
        new RunCommand.Report(
            attemptId,
            events.stream().map(Pending::event).toList(),
            events.stream().map(Pending::at).toList());
    for (int i = 0; i < StreamLog.COLLISIONS_MAX; i++) {
      switch (log.decide(state, report)) {
        case Decision.Append append -> {
          Chunk chunk = unanswered == null ? log.chunk(run, state, report, append) : unanswered;
          unanswered = chunk;
          AppendResult result = log.append(chunk);
          unanswered = null;
          switch (result) {
            case AppendResult.Appended _ -> {
              state = (RunState.Existing) RunLog.behind(state, chunk);
              drop(events.size());
              return;
            }
            case AppendResult.Collision _ -> catchUp();
          }
        }
        case Decision.Refuse _, Decision.Defer _, Decision.Stay _ -> {
          fenced = true;
          return;
        }
      }
    }
    throw new IllegalStateException("no room behind the head of " + run.partition());
  }

  private void drop(int count) {
    List<Pending> dropped = pending.subList(0, count);
    dropped.forEach(told -> pendingBytes -= EventSize.atMost(told.event()));
    dropped.clear();
  }

  private void checkFence() {
    fenced |=
        !(state instanceof RunState.Claimed current)
            || !current.attempt().id().equals(attemptId)
            || !current.attempt().stage().open();
  }

  private int chunkSize() {
    int bytes = 0;
    int count = 0;
    for (Pending told : pending) {
      bytes += EventSize.atMost(told.event());
      if (count > 0 && (bytes > CHUNK_TEXT_BYTES_MAX || count == CHUNK_EVENTS_MAX)) {
        break;
      }
      count++;
    }
    return count;
  }
}
