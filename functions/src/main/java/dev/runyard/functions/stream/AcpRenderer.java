package dev.runyard.functions.stream;

import dev.runyard.core.agentcommunication.AcpView;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import java.util.List;
import java.util.Optional;

/// A run in the words of the Agent Communication Protocol. What an event is there depends on all
/// before it, so a reader that begins in the middle has the beginning read for it.
final class AcpRenderer implements EventView.Teller {
  private final EventLog log;
  private final RunKey run;
  private final AcpView view = new AcpView();
  private long read;

  AcpRenderer(EventLog log, RunKey run) {
    this.log = log;
    this.run = run;
  }

  @Override
  public List<RenderedEvent> show(StoredEvent event) {
    if (read < event.sequence() - 1) {
      catchUp(event.sequence());
    }
    read = event.sequence();
    return view.read(event).stream()
        .map(told -> new RenderedEvent(told.type(), told.json().toString()))
        .toList();
  }

  private void catchUp(long before) {
    EventCursor<StoredEvent> cursor = new EventCursor<>(log, EventCodec.RUNS, run, 0);
    while (read < before - 1) {
      for (StoredEvent event : cursor.next()) {
        if (event.sequence() < before) {
          view.read(event);
          read = event.sequence();
        }
      }
    }
  }

  @Override
  public Optional<RenderedEvent> completion() {
    return Optional.empty();
  }

  @Override
  public boolean alike() {
    return false;
  }

  @Override
  public boolean tellsCompletion() {
    return false;
  }
}
