package dev.runyard.core.session;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.message.Message;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.run.RunState;
import dev.runyard.core.transcript.RunMessages;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What was said in a session: the messages of its completed runs, oldest first, input before
/// output. The list of runs comes from the read models and may lag; their messages come from their
/// logs.
public final class SessionHistory {
  /// Most runs of a history.
  public static final int RUNS_MAX = 100;

  /// Events of those runs together; the runs that do not fit, from the newest on, are left out.
  public static final int EVENTS_MAX = 100_000;

  private static final int PAGES_MAX = 20;

  private final ReadModels models;
  private final EventLog log;

  public SessionHistory(ReadModels models, EventLog log) {
    this.models = models;
    this.log = log;
  }

  /// The history; empty when no run has the session id.
  public Optional<List<Entry>> of(String tenant, String sessionId) {
    return of(tenant, sessionId, _ -> true);
  }

  /// The part of the history that one thread of the session has.
  public Optional<List<Entry>> of(String tenant, TurnIds turn) {
    return of(
        tenant, turn.sessionId(), run -> run.facts().request().threadId().equals(turn.threadId()));
  }

  private Optional<List<Entry>> of(
      String tenant, String sessionId, Predicate<RunState.Existing> counts) {
    RunFilter filter = new RunFilter(null, null, sessionId);
    List<RunKey> completed = new ArrayList<>();
    boolean known = false;
    long events = 0;
    Optional<String> after = Optional.empty();
    for (int i = 0; i < PAGES_MAX && completed.size() < RUNS_MAX; i++) {
      RunPage page = models.list(tenant, filter, ReadModels.LIST_MAX, after);
      for (RunState.Existing run : page.runs()) {
        known = true;
        if (run instanceof RunState.Completed && counts.test(run)) {
          events += run.sequence();
          if (events > EVENTS_MAX) {
            return Optional.of(said(completed));
          }
          completed.add(run.facts().run());
        }
      }
      after = page.next();
      if (after.isEmpty()) {
        break;
      }
    }
    return known ? Optional.of(said(completed)) : Optional.empty();
  }

  private List<Entry> said(List<RunKey> newestFirst) {
    List<RunKey> runs = new ArrayList<>(newestFirst);
    Collections.reverse(runs);
    List<Entry> entries = new ArrayList<>();
    for (RunKey run : runs) {
      RunMessages messages = RunMessages.of(events(run));
      messages.input().forEach(message -> entries.add(new Entry(run, message)));
      messages.output().forEach(message -> entries.add(new Entry(run, message)));
    }
    return List.copyOf(entries);
  }

  private List<StoredEvent> events(RunKey run) {
    List<StoredEvent> events = new ArrayList<>();
    EventCursor<StoredEvent> cursor = new EventCursor<>(log, EventCodec.RUNS, run, 0);
    List<StoredEvent> next = cursor.next();
    while (!next.isEmpty()) {
      events.addAll(next);
      next = cursor.next();
    }
    return events;
  }

  /// A message and the run it was said in.
  public record Entry(RunKey run, Message message) {}
}
