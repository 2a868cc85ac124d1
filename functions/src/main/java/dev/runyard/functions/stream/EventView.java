package dev.runyard.functions.stream;

import dev.runyard.core.agentcommunication.AcpView;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.view.HubView;
import dev.runyard.core.view.RuntimeView;
import dev.runyard.core.view.agentapi.AgentApiView;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// In which protocol's words a reader gets the events.
enum EventView {
  RUNTIME(RuntimeView.NAME),
  AGENT_API(AgentApiView.NAME),
  ACP(AcpView.NAME),
  HUB(HubView.NAME);

  private final String wire;

  EventView(String wire) {
    this.wire = wire;
  }

  static Optional<EventView> of(String name) {
    return Arrays.stream(values()).filter(view -> view.wire.equals(name)).findFirst();
  }

  static String names() {
    return Arrays.stream(values()).map(view -> view.wire).collect(Collectors.joining(", "));
  }

  /// The view of one run, which exists.
  Teller of(EventLog log, RunLog runs, RunKey run) {
    return switch (this) {
      case RUNTIME -> new Stored();
      case AGENT_API -> new AgentApiRenderer(log, runs, run);
      case ACP -> new AcpRenderer(log, run);
      case HUB -> new HubRenderer(log, run);
    };
  }

  /// Tells one run's events to one reader. Not thread-safe.
  interface Teller {
    /// What the reader gets for a stored event.
    List<RenderedEvent> show(StoredEvent event);

    /// How the run ended, where the view tells that apart from the events.
    Optional<RenderedEvent> completion();

    /// True when every reader of the run is told the same of an event, whatever was read before.
    boolean alike();

    /// True when the view tells how a run ended apart from its events.
    boolean tellsCompletion();
  }

  private static final class Stored implements Teller {
    @Override
    public List<RenderedEvent> show(StoredEvent event) {
      return List.of(new RenderedEvent(event.type(), RuntimeView.json(event)));
    }

    @Override
    public Optional<RenderedEvent> completion() {
      return Optional.empty();
    }

    @Override
    public boolean alike() {
      return true;
    }

    @Override
    public boolean tellsCompletion() {
      return false;
    }
  }
}
