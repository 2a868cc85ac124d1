package dev.runyard.core.attempt;

import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunKey;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes one attempt's events: gathers them into chunks, keeps their order, and tries an
/// unanswered chunk again until the log says what became of it.
final class AttemptLog {
  /// Events of one chunk at most.
  static final int CHUNK_EVENTS_MAX = 1000;

  /// Text of one chunk at most, before deflating.
  static final int CHUNK_TEXT_BYTES_MAX = 192 * 1024;

  private static final int ENVELOPE_BYTES = 1024;
  private static final int CHAR_BYTES_MAX = 3;

  private final RunLog log;
  private final RunKey run;
  private final String attemptId;
  private final List<RunEvent> pending = new ArrayList<>();
  private RunState.Existing state;
  private @Nullable Chunk unanswered;
  private @Nullable Instant oldest;
  private boolean urgent;
  private boolean fenced;

  AttemptLog(RunLog log, RunKey run, String attemptId, RunState.Existing state) {
    this.log = log;
    this.run = run;
    this.attemptId = attemptId;
    this.state = state;
  }

  RunState.Existing state() {
    return state;
  }

  /// True when another writer has ended or taken over this attempt: nothing of it may be written
  /// any more.
  boolean fenced() {
    return fenced;
  }

  int pending() {
    return pending.size();
  }

  void add(RunEvent event, Instant now) {
    pending.add(event);
    urgent |= EventTypes.changesState(event);
    if (oldest == null) {
      oldest = now;
    }
  }

  /// When what is pending must be written; null when nothing is. An unanswered chunk comes before
  /// any look at the tail, which may hold it.
  @Nullable Instant dueAt(Duration window) {
    if (oldest == null) {
      return null;
    }
    boolean now = urgent || unanswered != null || pending.size() >= CHUNK_EVENTS_MAX;
    return now ? oldest : oldest.plus(window);
  }

  /// Writes everything pending, unless the attempt is fenced.
  void flush() {
    while (!pending.isEmpty() && !fenced) {
      int count = unanswered == null ? chunkSize() : unanswered.events().size();
      write(List.copyOf(pending.subList(0, count)));
    }
    if (fenced) {
      pending.clear();
    }
    oldest = null;
    urgent = false;
  }

  /// Reads what others appended.
  void catchUp() {
    state = (RunState.Existing) log.catchUp(run, state);
    checkFence();
  }

  private void write(List<RunEvent> events) {
    for (int i = 0; i < RunLog.COLLISIONS_MAX; i++) {
      switch (log.decide(state, new RunCommand.Report(attemptId, events))) {
        case Decision.Append append -> {
          Chunk chunk = unanswered == null ? log.chunk(run, state, append.events()) : unanswered;
          unanswered = chunk;
          AppendResult result = log.append(chunk);
          unanswered = null;
          switch (result) {
            case AppendResult.Appended _ -> {
              state = (RunState.Existing) RunFold.fold(state, chunk.events());
              pending.subList(0, events.size()).clear();
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

  private void checkFence() {
    fenced |=
        switch (state) {
          case RunState.InProgress current ->
              !current.attempt().id().equals(attemptId) || !current.attempt().stage().open();
          case RunState.Cancelling current ->
              !current.attempt().id().equals(attemptId) || !current.attempt().stage().open();
          case RunState.Created _,
              RunState.Retrying _,
              RunState.CancellingIdle _,
              RunState.Closed _ ->
              true;
        };
  }

  private int chunkSize() {
    int bytes = 0;
    int count = 0;
    for (RunEvent event : pending) {
      bytes += textBytes(event);
      if (count > 0 && (bytes > CHUNK_TEXT_BYTES_MAX || count == CHUNK_EVENTS_MAX)) {
        break;
      }
      count++;
    }
    return count;
  }

  /// More than an event's text can take up, without counting it.
  private static int textBytes(RunEvent event) {
    return switch (event) {
      case RunEvent.ModelDelta delta -> atMost(delta.text());
      case RunEvent.ReasoningDelta delta -> atMost(delta.text());
      case RunEvent.ToolStarted tool -> ENVELOPE_BYTES + atMost(tool.input());
      case RunEvent.ToolProgress tool -> ENVELOPE_BYTES + atMost(tool.preview());
      case RunEvent.ToolResult tool -> ENVELOPE_BYTES + atMost(tool.preview());
      case RunEvent.ToolFailed tool -> ENVELOPE_BYTES + atMost(tool.preview());
      case RunEvent.RuntimeWarning warning -> ENVELOPE_BYTES + atMost(warning.message());
      case RunEvent.RuntimeError error -> ENVELOPE_BYTES + atMost(error.message());
      case RunEvent.Other other -> ENVELOPE_BYTES + atMost(other.payload().toString());
      case RunEvent _ -> ENVELOPE_BYTES;
    };
  }

  private static int atMost(@Nullable String text) {
    return text == null ? 0 : text.length() * CHAR_BYTES_MAX;
  }
}
