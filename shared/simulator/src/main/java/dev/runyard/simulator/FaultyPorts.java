package dev.runyard.simulator;

import dev.runyard.core.access.Keys;
import dev.runyard.core.access.StreamTokens;
import dev.runyard.core.application.Ports;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.core.hook.HookStore;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.job.JobItems;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobPorts;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.quota.HeldRuns;
import dev.runyard.core.quota.TenantUses;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.wakeup.Wakeups;
import dev.runyard.core.webhook.WebhookPorts;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The ports as one caller reaches them: through [Faults].
///
/// @param setting says whether there are jobs and tasks, so that their ports are called for more
///   than a look
record FaultyPorts(
    Ports ports, Faults faults, SimulatedCaller caller, WorkMeter meter, Setting setting)
    implements Ports {
  @Override
  public EventLog events() {
    return new Log(ports.events());
  }

  @Override
  public ReadModels models() {
    return table(ReadModels.class, ports.models(), "models");
  }

  @Override
  public SessionQueue turns() {
    return table(SessionQueue.class, ports.turns(), "turns");
  }

  @Override
  public IdempotencyStore keys() {
    return table(IdempotencyStore.class, ports.keys(), "keys");
  }

  @Override
  public Keys accessKeys() {
    return table(Keys.class, ports.accessKeys(), "accesskeys");
  }

  @Override
  public StreamTokens streamTokens() {
    return table(StreamTokens.class, ports.streamTokens(), "streamtokens");
  }

  @Override
  public TenantUses uses() {
    return table(TenantUses.class, ports.uses(), "uses");
  }

  @Override
  public HeldRuns held() {
    return table(HeldRuns.class, ports.held(), "held");
  }

  @Override
  public HookStore hooks() {
    return table(HookStore.class, ports.hooks(), "hooks");
  }

  @Override
  public HookDeliveries hookDeliveries() {
    return table(HookDeliveries.class, ports.hookDeliveries(), "hookdeliveries");
  }

  @Override
  public RunQueue queue() {
    RunQueue queue = faulty(RunQueue.class, ports.queue(), Port.QUEUE, "queue");
    return caller.role() == Role.RUNNER ? queue : new Queue(queue);
  }

  @Override
  public RunQueue deadLetters() {
    return faulty(RunQueue.class, ports.deadLetters(), Port.QUEUE, "deadletters");
  }

  @Override
  public RunQueue streamFailures() {
    return faulty(RunQueue.class, ports.streamFailures(), Port.QUEUE, "streamfailures");
  }

  @Override
  public RunnerFleet fleet() {
    return new Runners(ports.fleet());
  }

  @Override
  public Slots slots() {
    return table(Slots.class, ports.slots(), "slots");
  }

  @Override
  public Wakeups wakeups() {
    return table(Wakeups.class, ports.wakeups(), "wakeups");
  }

  @Override
  public TaskModels tasks() {
    return setting.tasks() ? table(TaskModels.class, ports.tasks(), "tasks") : ports.tasks();
  }

  @Override
  public JobPorts jobs() {
    return setting.jobs() ? new Jobs(ports.jobs()) : ports.jobs();
  }

  @Override
  public WebhookPorts webhooks() {
    return ports.webhooks() instanceof ToldPorts told ? told.through(this) : ports.webhooks();
  }

  /// Tells of the messages that it did not send. Runners only send copies, of messages that come
  /// back.
  private final class Queue extends PassingQueue {
    private Queue(RunQueue queue) {
      super(queue);
    }

    @Override
    public void send(QueueMessage message, int delaySeconds) {
      int before = faults.sends().count(message.run());
      try {
        super.send(message, delaySeconds);
      } finally {
        if (faults.sends().count(message.run()) == before) {
          faults.sends().kept(message, delaySeconds);
        }
      }
    }
  }

  private final class Jobs implements JobPorts {
    private final JobPorts jobs;

    private Jobs(JobPorts jobs) {
      this.jobs = jobs;
    }

    @Override
    public JobModels models() {
      return table(JobModels.class, jobs.models(), "jobmodels");
    }

    @Override
    public JobItems items() {
      return table(JobItems.class, jobs.items(), "jobitems");
    }
  }

  private final class Log implements EventLog {
    private final EventLog log;

    private Log(EventLog log) {
      this.log = log;
    }

    @Override
    public AppendResult append(Chunk chunk) {
      AppendResult result =
          call(Port.LOG_WRITE, () -> Right.EVENTS_APPEND, () -> log.append(chunk));
      caller.answered(chunk, result);
      return result;
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      return meter.read(
          caller,
          key,
          call(Port.LOG_READ, () -> Right.EVENTS_READ, () -> log.chunksAfter(key, sequence)));
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      return call(Port.LOG_READ, () -> Right.EVENTS_READ, () -> log.chunkAt(key, sequence));
    }
  }

  /// The bucket, which is behind no port of the use cases.
  ArtifactStore bucket(ArtifactStore bucket) {
    return faulty(ArtifactStore.class, bucket, Port.BUCKET, "bucket");
  }

  private final class Runners implements RunnerFleet {
    private final RunnerFleet fleet;

    private Runners(RunnerFleet fleet) {
      this.fleet = fleet;
    }

    /// A start without the right is refused by the service, not left open.
    @Override
    public Start start(int slot, String claim) {
      return faults.call(
          caller,
          Port.FLEET,
          () ->
              faults.refuses(caller, () -> Right.FLEET_START)
                  ? new Start.Refused(
                      new StartFailure(StartFailure.Cause.REFUSED, "simulated"), false)
                  : fleet.start(slot, claim));
    }

    @Override
    public Map<String, Fate> look(List<String> tasks) {
      return call(Port.FLEET, () -> Right.FLEET_LOOK, () -> fleet.look(tasks));
    }
  }

  private <T> T call(Port kind, Supplier<Right> needed, Supplier<T> call) {
    return faults.call(
        caller,
        kind,
        () -> {
          if (faults.refuses(caller, needed)) {
            throw new PortUnavailable("simulated missing right");
          }
          return call.get();
        });
  }

  /// A port on a table.
  <T> T table(Class<T> port, T behind, String name) {
    return faulty(port, behind, Port::ofTable, name);
  }

  /// A port whose calls all go through the faults.
  <T> T faulty(Class<T> port, T behind, Port kind, String name) {
    return faulty(port, behind, _ -> kind, name);
  }

  private <T> T faulty(Class<T> port, T behind, Function<String, Port> kinds, String name) {
    InvocationHandler handler =
        (_, method, given) ->
            call(
                    kinds.apply(method.getName()),
                    () -> Right.of(name, method.getName()),
                    () -> Optional.ofNullable(answer(behind, method, given)))
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
