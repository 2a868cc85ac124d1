package dev.runyard.testkit.simulator;

import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.SessionTurns;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.view.ReadModels;
import dev.runyard.core.view.RunFilter;
import dev.runyard.core.view.RunPage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The ports as an actor reaches them: through [Faults].
final class FaultyPorts {
  private FaultyPorts() {}

  record Log(EventLog log, Faults faults) implements EventLog {
    @Override
    public AppendResult append(Chunk chunk) {
      return faults.call(() -> log.append(chunk));
    }

    @Override
    public List<Chunk> chunksAfter(RunKey run, long sequence) {
      return faults.call(() -> log.chunksAfter(run, sequence));
    }

    @Override
    public boolean hasNews(RunKey run, long sequence) {
      return faults.call(() -> log.hasNews(run, sequence));
    }

    @Override
    public Optional<Chunk> chunkAt(RunKey run, long sequence) {
      return faults.call(() -> log.chunkAt(run, sequence));
    }
  }

  record Queue(RunQueue queue, Faults faults) implements RunQueue {
    @Override
    public void send(QueueMessage message, int delaySeconds) {
      faults.call(() -> queue.send(message, delaySeconds));
    }

    @Override
    public List<Ticket> receive(int max, int waitSeconds) {
      return faults.call(() -> queue.receive(max, waitSeconds));
    }

    @Override
    public boolean extend(Ticket ticket, int seconds) {
      return faults.call(() -> queue.extend(ticket, seconds));
    }

    @Override
    public void delete(Ticket ticket) {
      faults.call(() -> queue.delete(ticket));
    }

    @Override
    public Depth depth() {
      return faults.call(queue::depth);
    }
  }

  record Models(ReadModels models, Faults faults) implements ReadModels {
    @Override
    public Optional<RunState.Existing> snapshot(RunKey run) {
      return faults.call(() -> models.snapshot(run));
    }

    @Override
    public boolean save(RunState.Existing run) {
      return faults.call(() -> models.save(run));
    }

    @Override
    public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
      return faults.call(() -> models.list(tenant, filter, limit, after));
    }

    @Override
    public List<RunKey> due(int shard, Instant now, int limit) {
      return faults.call(() -> models.due(shard, now, limit));
    }
  }

  record Sessions(SessionTurns turns, Faults faults) implements SessionTurns {
    @Override
    public Turns read(String tenant, String sessionId) {
      return faults.call(() -> turns.read(tenant, sessionId));
    }

    @Override
    public boolean write(String tenant, String sessionId, Turns next) {
      return faults.call(() -> turns.write(tenant, sessionId, next));
    }
  }

  record Keys(IdempotencyStore keys, Faults faults) implements IdempotencyStore {
    @Override
    public Binding bind(Claim claim) {
      return faults.call(() -> keys.bind(claim));
    }
  }
}
