package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.SessionHistory;
import dev.runyard.core.transcript.RunMessages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// A client that is told of the ends of runs and reads the sessions they are in, as the API does
/// it: A5 a run whose end was told is in its session's history, what is in a history stays there,
/// and at rest it is that of its completed runs, in their order.
final class Sessions {
  private final SessionHistory history;
  private final Predicate<RunKey> ended;
  private final RunLog reads;
  private final Promises promises;
  private final Map<String, Set<RunKey>> known = new HashMap<>();

  /// @param ended makes sure that the session has an ended run; false when it could not
  Sessions(SessionHistory history, Predicate<RunKey> ended, RunLog reads, Promises promises) {
    this.promises = promises;
    this.history = history;
    this.ended = ended;
    this.reads = reads;
  }

  void read(RunKey run) {
    if (!(reads.load(run) instanceof RunState.Existing state)) {
      return;
    }
    String session = state.facts().request().sessionId();
    boolean told = state instanceof RunState.Completed && ended.test(run);
    Set<RunKey> now = new HashSet<>();
    entries(session).forEach(entry -> now.add(entry.run()));
    if (told && !now.contains(run)) {
      promises.violations.add(new Violation("A5", run + " was told of and is in no history"));
    }
    Set<RunKey> before = known.put(session, now);
    if (before != null && !now.containsAll(before)) {
      promises.violations.add(
          new Violation("A5", "the history %s lost some of %s".formatted(now, before)));
    }
  }

  /// Checks the histories at rest.
  ///
  /// @param completed the completed runs of each session, oldest first
  void check(SimulatedLog log, Map<String, List<RunKey>> completed) {
    completed.forEach((session, runs) -> check(log, session, runs));
  }

  private void check(SimulatedLog log, String session, List<RunKey> completed) {
    List<SessionHistory.Entry> expected = new ArrayList<>();
    for (RunKey run : completed) {
      RunMessages said = RunMessages.of(log.events(run));
      said.input().forEach(message -> expected.add(new SessionHistory.Entry(run, message)));
      said.output().forEach(message -> expected.add(new SessionHistory.Entry(run, message)));
    }
    List<SessionHistory.Entry> there = entries(session);
    if (!there.equals(expected)) {
      promises.violations.add(
          new Violation("A5", "the history is %s, not %s".formatted(there, expected)));
    }
  }

  private List<SessionHistory.Entry> entries(String session) {
    return history.of(ClientActor.TENANT, session).orElse(List.of());
  }
}
