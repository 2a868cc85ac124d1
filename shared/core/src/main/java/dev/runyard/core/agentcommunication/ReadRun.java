package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.projection.ProjectRun;
import java.util.List;
import java.util.Optional;

/// Reads a run in the protocol's form. Its messages are only in its log, so the log is read from
/// its first event, up to a bound. Once a reader has seen here that a run has ended, the run is in
/// its session's history.
public final class ReadRun {
  /// Most events of one response; a longer run can be read only in pages and streams.
  public static final int EVENTS_MAX = 100_000;

  public static final String TOO_LONG =
      "The run has more than 100,000 events: too many for one answer of this protocol. Read it and"
          + " its events under /v1/runs.";

  private final EventLog log;
  private final ProjectRun project;

  public ReadRun(EventLog log, ProjectRun project) {
    this.log = log;
    this.project = project;
  }

  public boolean exists(RunKey run) {
    return log.chunkAt(run, 1).isPresent();
  }

  /// True for a run with more events than [#EVENTS_MAX].
  public boolean isTooLong(RunKey run) {
    return log.chunkAt(run, Long.MAX_VALUE)
        .filter(newest -> newest.last() > EVENTS_MAX)
        .isPresent();
  }

  /// The run's current state; empty when there is none.
  public Optional<ObjectNode> now(RunKey run) {
    AcpView view = new AcpView();
    Optional<ObjectNode> now = read(run, view, Long.MAX_VALUE);
    if (view.ended()) {
      project.ended(run);
    }
    return now;
  }

  /// The run as its clients saw it at `sequence`.
  public Optional<ObjectNode> at(RunKey run, long sequence) {
    return read(run, new AcpView(), sequence);
  }

  private Optional<ObjectNode> read(RunKey run, AcpView view, long sequence) {
    EventCursor<StoredEvent> cursor = new EventCursor<>(log, EventCodec.RUNS, run, 0);
    List<StoredEvent> events = cursor.next();
    boolean exists = !events.isEmpty();
    while (!events.isEmpty()) {
      for (StoredEvent event : events) {
        List<AcpEvent> told = view.read(event);
        if (event.sequence() == sequence) {
          return Optional.of(
              told.stream()
                  .filter(acp -> acp.json().has("run"))
                  .findFirst()
                  .map(acp -> (ObjectNode) acp.json().get("run"))
                  .orElseGet(view::run));
        }
      }
      events = cursor.next();
    }
    return exists ? Optional.of(view.run()) : Optional.empty();
  }
}
