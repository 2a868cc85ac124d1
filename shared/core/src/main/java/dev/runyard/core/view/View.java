package dev.runyard.core.view;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.run.RunState;
import java.util.List;
import java.util.Optional;

/// The events of a run in the words of one protocol. What a view renders follows from the run's
/// events alone, so every reader gets the same of an event. A protocol may say with an event what
/// only an earlier one tells, such as the agent's name: a view then keeps what it has seen, and is
/// made for one reader of one run. Not thread-safe.
public interface View {
  /// What a view must have rendered of a run before it can render one of its later events.
  enum Past {
    NOTHING,
    FIRST_EVENT,
    EVERY_EVENT
  }

  Past past();

  /// The event as the protocol has it: none, one or several in their order.
  List<RenderedEvent> render(StoredEvent event);

  /// Takes in an event whose rendering nobody gets.
  default void skip(StoredEvent event) {
    render(event);
  }

  /// A view of a protocol that tells how a run ended apart from its events, and so renders nothing
  /// for the last of them.
  interface Completing extends View {
    /// How the run ended; empty as long as it goes on.
    Optional<RenderedEvent> completion(RunState run);
  }
}
