package dev.runyard.testkit.simulator;

import dev.runyard.core.application.Ports;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.submit.IdempotencyStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The ports as one caller reaches them: through [Faults].
record FaultyPorts(Ports ports, Faults faults, SimulatedCaller caller) implements Ports {
  @Override
  public EventLog events() {
    return new Log(ports.events());
  }

  @Override
  public ReadModels models() {
    return faulty(ReadModels.class, ports.models(), Port.TABLE);
  }

  @Override
  public SessionQueue turns() {
    return faulty(SessionQueue.class, ports.turns(), Port.TABLE);
  }

  @Override
  public IdempotencyStore keys() {
    return faulty(IdempotencyStore.class, ports.keys(), Port.TABLE);
  }

  @Override
  public RunQueue queue() {
    return faulty(RunQueue.class, ports.queue(), Port.QUEUE);
  }

  @Override
  public RunQueue deadLetters() {
    return faulty(RunQueue.class, ports.deadLetters(), Port.QUEUE);
  }

  @Override
  public RunQueue streamFailures() {
    return faulty(RunQueue.class, ports.streamFailures(), Port.QUEUE);
  }

  @Override
  public RunnerFleet fleet() {
    return faulty(RunnerFleet.class, ports.fleet(), Port.TABLE);
  }

  @Override
  public Slots slots() {
    return faulty(Slots.class, ports.slots(), Port.TABLE);
  }

  private final class Log implements EventLog {
    private final EventLog log;

    private Log(EventLog log) {
      this.log = log;
    }

    @Override
    public AppendResult append(Chunk chunk) {
      return faults.call(caller, Port.LOG_WRITE, () -> log.append(chunk));
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      return faults.call(caller, Port.LOG_READ, () -> log.chunksAfter(key, sequence));
    }

    @Override
    public boolean hasNews(StreamKey key, long sequence) {
      return faults.call(caller, Port.LOG_READ, () -> log.hasNews(key, sequence));
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      return faults.call(caller, Port.LOG_READ, () -> log.chunkAt(key, sequence));
    }
  }

  /// A port each call of which goes through the faults, whatever its methods are.
  private <T> T faulty(Class<T> port, T behind, Port kind) {
    InvocationHandler handler =
        (_, method, given) ->
            faults
                .call(caller, kind, () -> Optional.ofNullable(answer(behind, method, given)))
                .orElse(null);
    return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, handler));
  }

  private static @Nullable Object answer(Object behind, Method method, Object @Nullable [] given) {
    try {
      return method.invoke(behind, given);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) Objects.requireNonNull(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
