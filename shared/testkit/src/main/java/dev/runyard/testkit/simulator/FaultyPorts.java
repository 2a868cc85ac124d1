package dev.runyard.testkit.simulator;

import dev.runyard.core.application.Ports;
import dev.runyard.core.fleet.Fleet;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.fleet.StartTrouble;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.submit.IdempotencyStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The ports as one caller reaches them: through [Faults].
record FaultyPorts(Ports ports, Faults faults, Caller caller) implements Ports {
  @Override
  public EventLog events() {
    return new Log(ports.events());
  }

  @Override
  public ReadModels models() {
    return new Models(ports.models());
  }

  @Override
  public SessionQueue turns() {
    return new Sessions(ports.turns());
  }

  @Override
  public IdempotencyStore keys() {
    IdempotencyStore keys = ports.keys();
    return claim -> faults.call(caller, Port.TABLE, () -> keys.bind(claim));
  }

  @Override
  public RunQueue queue() {
    return new Queue(ports.queue());
  }

  @Override
  public RunQueue deadLetters() {
    return new Queue(ports.deadLetters());
  }

  @Override
  public RunQueue streamFailures() {
    return new Queue(ports.streamFailures());
  }

  @Override
  public RunnerFleet fleet() {
    return new Fleets(ports.fleet());
  }

  @Override
  public Slots slots() {
    return new Places(ports.slots());
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

  private final class Queue implements RunQueue {
    private final RunQueue queue;

    private Queue(RunQueue queue) {
      this.queue = queue;
    }

    @Override
    public void send(QueueMessage message, int delaySeconds) {
      faults.call(caller, Port.QUEUE, () -> queue.send(message, delaySeconds));
    }

    @Override
    public List<Ticket> receive(int max, int waitSeconds) {
      return faults.call(caller, Port.QUEUE, () -> queue.receive(max, waitSeconds));
    }

    @Override
    public boolean extend(Ticket ticket, int seconds) {
      return faults.call(caller, Port.QUEUE, () -> queue.extend(ticket, seconds));
    }

    @Override
    public void delete(Ticket ticket) {
      faults.call(caller, Port.QUEUE, () -> queue.delete(ticket));
    }

    @Override
    public Depth depth() {
      return faults.call(caller, Port.QUEUE, queue::depth);
    }
  }

  private final class Models implements ReadModels {
    private final ReadModels models;

    private Models(ReadModels models) {
      this.models = models;
    }

    @Override
    public Optional<RunState.Existing> snapshot(RunKey run) {
      return faults.call(caller, Port.TABLE, () -> models.snapshot(run));
    }

    @Override
    public boolean save(RunState.Existing run) {
      return faults.call(caller, Port.TABLE, () -> models.save(run));
    }

    @Override
    public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
      return faults.call(caller, Port.TABLE, () -> models.list(tenant, filter, limit, after));
    }

    @Override
    public List<RunKey> due(int shard, Instant now, int limit) {
      return faults.call(caller, Port.TABLE, () -> models.due(shard, now, limit));
    }
  }

  private final class Sessions implements SessionQueue {
    private final SessionQueue turns;

    private Sessions(SessionQueue turns) {
      this.turns = turns;
    }

    @Override
    public Turns read(String tenant, String sessionId) {
      return faults.call(caller, Port.TABLE, () -> turns.read(tenant, sessionId));
    }

    @Override
    public boolean write(String tenant, String sessionId, Turns next) {
      return faults.call(caller, Port.TABLE, () -> turns.write(tenant, sessionId, next));
    }
  }

  private final class Fleets implements RunnerFleet {
    private final RunnerFleet fleet;

    private Fleets(RunnerFleet fleet) {
      this.fleet = fleet;
    }

    @Override
    public Start start(int slot, String claim) {
      return faults.call(caller, Port.TABLE, () -> fleet.start(slot, claim));
    }

    @Override
    public Map<String, Fate> look(List<String> tasks) {
      return faults.call(caller, Port.TABLE, () -> fleet.look(tasks));
    }
  }

  private final class Places implements Slots {
    private final Slots slots;

    private Places(Slots slots) {
      this.slots = slots;
    }

    @Override
    public Fleet read() {
      return faults.call(caller, Port.TABLE, slots::read);
    }

    @Override
    public boolean write(Slot slot) {
      return faults.call(caller, Port.TABLE, () -> slots.write(slot));
    }

    @Override
    public boolean write(StartTrouble trouble) {
      return faults.call(caller, Port.TABLE, () -> slots.write(trouble));
    }
  }
}
