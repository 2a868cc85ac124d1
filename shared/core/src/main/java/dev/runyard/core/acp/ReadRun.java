package dev.runyard.core.acp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.run.RunKey;
import java.util.List;
import java.util.Optional;

/// Reads a run as the protocol writes it. Its messages are in its log only, so the whole log is
/// read.
public final class ReadRun {
  private final EventLog log;

  public ReadRun(EventLog log) {
    this.log = log;
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
