package dev.runyard.simulator;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.thread.ThreadKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// What is put in the place of a port to plant a defect.
final class Planted {
  /// Names the stream functions in what they write.
  static final String DRIVER = "function";

  static final String SWEEP = "sweep";

  /// Begins the names of runners.
  static final String RUNNER = "runner-";

  private Planted() {}

  /// The log as the process of that name may use it.
  static EventLog events(Defect defect, EventLog kept, String writer) {
    return defect == Defect.TURNS_REFUSED_TO_DRIVER && writer.equals(DRIVER)
        ? new RefusedTurns(kept)
        : kept;
  }

  /// The read models as the process of that name may use them.
  static ReadModels models(Defect defect, ReadModels models, String writer) {
    boolean blind =
        switch (defect) {
          case FOLDED_FROM_THE_BEGINNING -> writer.equals(DRIVER) || writer.equals(SWEEP);
          case CLAIM_FOLDED_FROM_THE_BEGINNING -> writer.startsWith(RUNNER);
          case Defect _ -> false;
        };
    return blind ? new BlindModels(models) : models;
  }

  static ArtifactStore bucket(Defect defect, ArtifactStore bucket) {
    return defect == Defect.POINTER_REPLACED_WITHOUT_CONDITION
        ? new UnconditionalStore(bucket)
        : bucket;
  }

  static IdempotencyStore keys(SimulatedSystem system, Expiry expiry, IdempotencyStore kept) {
    if (system.has(Defect.KEY_LOOKED_FOR_THEN_BOUND)) {
      return new PlantedKeys(system);
    }
    return system.has(Defect.EXPIRED_KEY_KNOWN) ? new PlantedExpiry(system, expiry) : kept;
  }

  static Slots slots(SimulatedSystem system, Slots kept) {
    return system.has(Defect.SLOTS_WRITTEN_WITHOUT_CONDITION)
            || system.has(Defect.TROUBLE_NOT_NOTED)
            || system.has(Defect.CLAIM_NEVER_FREED)
        ? new PlantedSlots(system, kept)
        : kept;
  }

  static ReadModels models(Defect defect, ReadModels kept) {
    return switch (defect) {
      case SNAPSHOT_STORED_AS_TEXT, MODEL_SAVED_WITHOUT_CONDITION, SILENCE_TOO_SHORT ->
          new PlantedModels(defect, kept);
      case Defect _ -> kept;
    };
  }

  /// The state of tasks as the service reports it.
  static Map<String, RunnerFleet.Fate> fates(
      SimulatedSystem system, Map<String, RunnerFleet.Fate> told) {
    if (system.has(Defect.UNSEEN_TASK_TAKEN_FOR_GONE)) {
      told.replaceAll(
          (_, fate) ->
              fate instanceof RunnerFleet.Fate.Missing
                  ? new RunnerFleet.Fate.Stopped(
                      new StartFailure(StartFailure.Cause.STOPPED, "planted"))
                  : fate);
    }
    return told;
  }

  /// The action of a stream function for a run.
  static Consumer<RunKey> action(SimulatedSystem system, Consumer<RunKey> action) {
    return run -> {
      try {
        action.accept(run);
      } catch (StreamFunction.Poison e) {
        if (system.has(Defect.POISON_COMES_AGAIN)) {
          throw new PortUnavailable("planted", e);
        }
        throw e;
      } catch (PortUnavailable e) {
        if (!system.has(Defect.REFUSED_RECORD_DROPPED) || system.faults().missing().isEmpty()) {
          throw e;
        }
      }
    };
  }

  /// The queue as an attempt uses it.
  static RunQueue lease(Defect defect, RunQueue queue) {
    return switch (defect) {
      case DEAD_LETTER_ENDS_LIVING_ATTEMPT, DEFERRAL_COSTS_A_RECEIVE -> new HidingQueue(queue);
      case Defect _ -> queue;
    };
  }

  /// Models whose snapshots nobody looks at.
  private record BlindModels(ReadModels models) implements ReadModels {
    @Override
    public Optional<RunState.Existing> snapshot(RunKey run) {
      return Optional.empty();
    }

    @Override
    public boolean save(RunState.Existing run) {
      return models.save(run);
    }

    @Override
    public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
      return models.list(tenant, filter, limit, after);
    }

    @Override
    public List<RunKey> due(int shard, Instant now, int limit) {
      return models.due(shard, now, limit);
    }
  }

  /// A right that is missing for good.
  private record RefusedTurns(EventLog log) implements EventLog {
    @Override
    public AppendResult append(Chunk chunk) {
      return log.append(chunk);
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      return log.chunksAfter(key, sequence);
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      if (key instanceof ThreadKey) {
        throw new PortUnavailable("simulated missing right");
      }
      return log.chunkAt(key, sequence);
    }
  }
}
