package dev.runyard.agent.hub;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.runyard.core.json.JsonFormat;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A hub within one process. Thread-safe.
public final class LocalHub implements Hub, AutoCloseable {
  private final String sessionId;
  private final Supplier<String> eventIds;
  private final InstantSource clock;
  private final Consumer<RuntimeException> broken;
  private final ReentrantLock turn = new ReentrantLock();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final List<QueuedEvents> streams = new CopyOnWriteArrayList<>();

  /// One per hub: a thread may be in the scopes of several hubs.
  @SuppressWarnings("ThreadLocalUsage")
  private final InheritableThreadLocal<HubScope> scope = new InheritableThreadLocal<>();

  private volatile HubRoutes routes = HubRoutes.NONE;
  private volatile HubStatus status = HubStatus.IDLE;
  private volatile boolean sessionActive;

  /// @param broken gets the exceptions of listeners
  public LocalHub(
      String sessionId,
      Supplier<String> eventIds,
      InstantSource clock,
      Consumer<RuntimeException> broken) {
    this.sessionId = sessionId;
    this.eventIds = eventIds;
    this.clock = clock;
    this.broken = broken;
  }

  /// One subscription; the same consumer may have several.
  private static final class Listener {
    final Filter filter;
    final Consumer<EnrichedEvent> consumer;

    Listener(Filter filter, Consumer<EnrichedEvent> consumer) {
      this.filter = filter;
      this.consumer = Objects.requireNonNull(consumer);
    }
  }

  /// Sets where messages to runs go.
  public void route(HubRoutes to) {
    routes = to;
  }

  public void startSession() {
    sessionActive = true;
  }

  public void setStatus(HubStatus next) {
    status = next;
  }

  @Override
  public Subscription subscribe(Consumer<EnrichedEvent> listener) {
    return subscribe(Filter.ALL, listener);
  }

  @Override
  public Subscription subscribe(String filter, Consumer<EnrichedEvent> listener) {
    return subscribe(new Filter(List.of(filter)), listener);
  }

  @Override
  public Subscription subscribe(List<String> filters, Consumer<EnrichedEvent> listener) {
    return subscribe(new Filter(filters), listener);
  }

  private Subscription subscribe(Filter filter, Consumer<EnrichedEvent> consumer) {
    Listener listener = new Listener(filter, consumer);
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public EventStream events() {
    QueuedEvents stream = new QueuedEvents(streams::remove);
    streams.add(stream);
    return stream;
  }

  @Override
  public void emit(HubEvent event) {
    emit(event, HubScope.NONE);
  }

  @Override
  public void emit(HubEvent event, HubScope over) {
    HubContext context = new HubContext(sessionId, over.over(scope()));
    turn.lock();
    try {
      EnrichedEvent enriched = new EnrichedEvent(eventIds.get(), clock.instant(), context, event);
      for (Listener listener : listeners) {
        if (listener.filter.lets(event.type())) {
          tell(listener, enriched);
        }
      }
      streams.forEach(stream -> stream.add(enriched));
    } finally {
      turn.unlock();
    }
  }

  private void tell(Listener listener, EnrichedEvent event) {
    try {
      listener.consumer.accept(event);
    } catch (RuntimeException e) {
      broken.accept(e);
    }
  }

  @Override
  public <T> T scoped(HubScope over, Callable<T> work) throws Exception {
    HubScope before = scope();
    scope.set(over.over(before));
    try {
      return work.call();
    } finally {
      scope.set(before);
    }
  }

  @Override
  public HubContext current() {
    return new HubContext(sessionId, scope());
  }

  private HubScope scope() {
    return Objects.requireNonNullElse(scope.get(), HubScope.NONE);
  }

  @Override
  public void send(String content) {
    inSession(HubEvent.of(HubEvent.SESSION_MESSAGE).with("content", content));
  }

  @Override
  public boolean sendTo(String agentName, String content) {
    boolean sent = routes.toAgent(agentName, content);
    inSession(
        HubEvent.of(HubEvent.SESSION_MESSAGE)
            .with("content", content)
            .with("agentName", agentName));
    return sent;
  }

  @Override
  public boolean sendToRun(String runId, String content) {
    boolean sent = routes.toRun(runId, content);
    inSession(HubEvent.of(HubEvent.SESSION_MESSAGE).with("content", content).with("runId", runId));
    return sent;
  }

  @Override
  public void reply(String promptId, HubReply reply) {
    HubEvent event =
        HubEvent.of(HubEvent.SESSION_REPLY)
            .with("promptId", promptId)
            .with("content", reply.content());
    String choice = reply.choice();
    inSession(
        (choice == null ? event : event.with("choice", choice))
            .with("timestamp", TextNode.valueOf(JsonFormat.time(reply.timestamp()))));
  }

  @Override
  public void abort(@Nullable String reason) {
    status = HubStatus.ABORTED;
    HubEvent event = HubEvent.of(HubEvent.SESSION_ABORT);
    inSession(reason == null ? event : event.with("reason", reason));
    routes.end();
    close();
  }

  private void inSession(HubEvent event) {
    if (sessionActive) {
      emit(event);
    }
  }

  @Override
  public HubStatus status() {
    return status;
  }

  @Override
  public boolean sessionActive() {
    return sessionActive;
  }

  /// Ends the streams; listeners still get what is emitted.
  @Override
  public void close() {
    streams.forEach(QueuedEvents::close);
  }
}
