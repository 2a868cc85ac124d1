package dev.runyard.core.read;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.view.RenderedEvent;
import dev.runyard.core.view.View;
import java.util.List;
import java.util.Optional;

/// Renders a run's events for one reader, who may begin anywhere in the log: earlier events that
/// the view needs are read when they are needed. Not thread-safe.
public final class EventRenderer {
  private final Protocol protocol;
  private final View view;
  private final RunKey run;
  private final EventLog log;
  private final RunLog runs;
  private Optional<RenderedEvent> completion = Optional.empty();
  private long seen;

  /// @param run an existing run
  public EventRenderer(Protocol protocol, RunKey run, EventLog log, RunLog runs) {
    this.protocol = protocol;
    this.view = protocol.view();
    this.run = run;
    this.log = log;
    this.runs = runs;
  }

  public Protocol protocol() {
    return protocol;
  }

  /// True when the reader may get what was rendered for another one, without its own view seeing
  /// the event.
  public boolean mayBeShared() {
    return view.past() != View.Past.EVERY_EVENT;
  }

  /// True when the protocol reports how a run ended separately from its events.
  public boolean tellsCompletion() {
    return view instanceof View.Completing;
  }

  /// What the reader gets for the next event.
  public List<RenderedEvent> render(StoredEvent event) {
    switch (view.past()) {
      case NOTHING -> {}
      case FIRST_EVENT -> {
        if (seen == 0 && event.sequence() > 1) {
          log.chunkAt(run, 1)
              .ifPresent(first -> view.skip(first.events(EventCodec.RUNS).getFirst()));
        }
      }
      case EVERY_EVENT -> {
        if (seen < event.sequence() - 1) {
          catchUp(event.sequence());
        }
      }
    }
    seen = event.sequence();
    return view.render(event);
  }

  /// How the run ended, if the protocol reports that separately from its events and the run has
  /// ended.
  public Optional<RenderedEvent> completion() {
    if (completion.isEmpty() && view instanceof View.Completing completing) {
      completion = completing.completion(runs.load(run));
    }
    return completion;
  }

  private void catchUp(long before) {
    EventCursor<StoredEvent> cursor = new EventCursor<>(log, EventCodec.RUNS, run, seen);
    List<StoredEvent> earlier = cursor.next();
    while (!earlier.isEmpty()) {
      for (StoredEvent event : earlier) {
        if (event.sequence() < before) {
          view.skip(event);
          seen = event.sequence();
        }
      }
      earlier = seen < before - 1 ? cursor.next() : List.of();
    }
  }
}
