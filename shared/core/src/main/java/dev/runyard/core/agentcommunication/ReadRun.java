package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import java.util.List;
import java.util.Optional;

/// Reads a run as the protocol writes it. Its messages are in its log only, so a log is read from
/// its first event on, which has a bound.
public final class ReadRun {
  /// Events one answer is made of; a run that has more is told in pages and streams only.
  public static final int EVENTS_MAX = 100_000;

  public static final String TOO_LONG =
      "The run has more than 100,000 events: too many for one answer of this protocol. Read it and"
          + " its events under /v1/runs.";

  private final EventLog log;

  public ReadRun(EventLog log) {
    this.log = log;
  }

  /// True for a run with more events than [#EVENTS_MAX].
  public boolean isTooLong(RunKey run) {
    return log.chunkAt(run, Long.MAX_VALUE)
        .filter(newest -> newest.last() > EVENTS_MAX)
        .isPresent();
  }

  /// The run as it stands now; empty when there is none.
  public Optional<ObjectNode> now(RunKey run) {
    return at(run, Long.MAX_VALUE);
  }

  /// The run as its clients were told of it at `sequence`.
  public Optional<ObjectNode> at(RunKey run, long sequence) {
    AcpView view = new AcpView();
    EventCursor cursor = new EventCursor(log, run, 0);
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
