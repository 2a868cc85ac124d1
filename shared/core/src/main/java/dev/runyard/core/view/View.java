package dev.runyard.core.view;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.run.RunState;
import java.util.List;
import java.util.Optional;

/// The events of a run in the terms of one protocol. The result depends on the run's events alone,
/// so every reader gets the same. A protocol's event may need what only an earlier event says, such
/// as the agent's name: a view therefore keeps what it has seen, and is created for one reader of
/// one run. Not thread-safe.
public interface View {
  /// What a view must have rendered of a run before it can render one of its later events.
  enum Past {
    NOTHING,
    FIRST_EVENT,
    EVERY_EVENT
  }

  Past past();

  /// The event in the protocol's form: none, one or several in order.
  List<RenderedEvent> render(StoredEvent event);

  /// Takes an event into account without rendering it.
  default void skip(StoredEvent event) {
    render(event);
  }

  /// A view of a protocol that reports how a run ended separately from its events, and so renders
  /// nothing for the last of them.
  interface Completing extends View {
    /// How the run ended; empty while it has not.
    Optional<RenderedEvent> completion(RunState run);
  }
}
