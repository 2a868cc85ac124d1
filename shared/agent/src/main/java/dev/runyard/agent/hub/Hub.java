package dev.runyard.agent.hub;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Where what happens is told and heard. Emitting returns after every listener has heard the event;
/// all listeners hear all events in one order, and one that throws keeps nobody else from hearing.
/// Thread-safe.
public interface Hub {
  Subscription subscribe(Consumer<EnrichedEvent> listener);

  /// Listens to events of some types: `*`, a type, or a prefix such as `agent:*`.
  Subscription subscribe(String filter, Consumer<EnrichedEvent> listener);

  /// Listens to what at least one of the filters lets through.
  Subscription subscribe(List<String> filters, Consumer<EnrichedEvent> listener);

  EventStream events();

  void emit(HubEvent event);

  /// Emits in a scope that lies over the current one.
  void emit(HubEvent event, Scope over);

  /// Does `work` in a scope that lies over the current one. Threads started by the work inherit it.
  <T> T scoped(Scope over, Callable<T> work) throws Exception;

  HubContext current();

  /// Tells everybody in the session; without a session, nobody.
  void send(String content);

  /// Sends to the agent of this name, which works while it has one active run. False when no single
  /// run got it.
  boolean sendTo(String agentName, String content);

  /// Sends to the inbox of a run. False when there is no such run, or it takes no more.
  boolean sendToRun(String runId, String content);

  void reply(String promptId, HubReply reply);

  /// Ends the session: inboxes and streams end, and what still runs is expected to come to its end.
  void abort(@Nullable String reason);

  HubStatus status();

  boolean sessionActive();
}
