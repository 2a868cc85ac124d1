package dev.runyard.agent.hub;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Passes events from agents to listeners. Emitting returns after every listener got the event; all
/// listeners get all events in the same order, and one that throws does not affect the others.
/// Thread-safe.
public interface Hub {
  Subscription subscribe(Consumer<EnrichedEvent> listener);

  /// Listens to events of some types: `*`, a type, or a prefix such as `agent:*`.
  Subscription subscribe(String filter, Consumer<EnrichedEvent> listener);

  /// Listens to events that match at least one of the filters.
  Subscription subscribe(List<String> filters, Consumer<EnrichedEvent> listener);

  EventStream events();

  void emit(HubEvent event);

  /// Emits in a scope on top of the current one.
  void emit(HubEvent event, HubScope over);

  /// Does `work` in a scope on top of the current one. Threads started by the work inherit it.
  <T> T scoped(HubScope over, Callable<T> work) throws Exception;

  HubContext current();

  /// Sends to everybody in the session; without a session, to nobody.
  void send(String content);

  /// Sends to the agent of this name, if it has exactly one active run. False when no run got the
  /// message.
  boolean sendTo(String agentName, String content);

  /// Sends to the inbox of a run. False when there is no such run, or it takes no more.
  boolean sendToRun(String runId, String content);

  void reply(String promptId, HubReply reply);

  /// Ends the session: inboxes and streams end, and running agents are expected to end.
  void abort(@Nullable String reason);

  HubStatus status();

  boolean sessionActive();
}
