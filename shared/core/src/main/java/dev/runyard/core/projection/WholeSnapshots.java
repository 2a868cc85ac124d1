package dev.runyard.core.projection;

import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.Recent;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import java.util.List;
import java.util.Optional;

/// Where a runner's fold starts: at the first event while the run is short, else at its snapshot,
/// plus what snapshots leave out and an agent needs, read from its places in the log.
///
/// A runner may save no read models. Where a load has to stop, it is remembered how far it came,
/// and the next one goes on there.
public final class WholeSnapshots implements Snapshots<RunState> {
  /// A run with no more events than this is folded from its first one: that costs less than putting
  /// its snapshot together.
  static final int EVENTS_SHORT = 1_000;

  /// Runs of which that is remembered: few, as states are whole. One that is forgotten is read from
  /// its snapshot again.
  private static final int READ_MAX = 16;

  private final ReadModels models;
  private final EventLog log;
  private final Recent<RunKey, RunState.Existing> read = new Recent<>(READ_MAX);

  public WholeSnapshots(ReadModels models, EventLog log) {
    this.models = models;
    this.log = log;
  }

  @Override
  public Optional<RunState> latest(StreamKey key) {
    RunKey run = RunKey.of(key);
    Optional<RunState.Existing> there =
        models.snapshot(run).filter(state -> state.sequence() > EVENTS_SHORT);
    RunState.Existing further = read.get(run).orElse(null);
    if (further != null && there.filter(kept -> kept.sequence() >= further.sequence()).isEmpty()) {
      return Optional.of(further);
    }
    return whole(run, there).or(() -> Optional.ofNullable(further));
  }

  @Override
  public boolean keep(RunState state) {
    return switch (state) {
      case RunState.Absent _ -> false;
      case RunState.Existing there -> {
        read.put(there.facts().run(), there);
        yield true;
      }
    };
  }

  private Optional<RunState> whole(RunKey run, Optional<RunState.Existing> there) {
    Optional<Chunk> head = there.isEmpty() ? Optional.empty() : log.chunkAt(run, 1);
    return head.flatMap(first -> whole(there.get(), new Places(first)));
  }

  /// Empty when the snapshot is too old to have its actions' places in the log.
  private static Optional<RunState> whole(RunState.Existing there, Places places) {
    Interactions interactions = there.facts().interactions();
    if (interactions.actions().stream().anyMatch(action -> action.sequence() == 0)) {
      return Optional.empty();
    }
    List<Action> actions = interactions.actions().stream().map(a -> whole(a, places)).toList();
    List<InboxMessage> inbox = interactions.inbox().stream().map(m -> whole(m, places)).toList();
    return Optional.of(RunFold.whole(there, places.request(), interactions.whole(actions, inbox)));
  }

  private static Action whole(Action action, Places places) {
    ActionRequired required = (ActionRequired) places.at(action.sequence()).event();
    Action.Resolution decided = action.resolution();
    RunEvent.ActionResolved resolved =
        decided == null ? null : (RunEvent.ActionResolved) places.at(decided.sequence()).event();
    return action.whole(required, resolved == null ? null : resolved.payload());
  }

  private static InboxMessage whole(InboxMessage message, Places places) {
    return message.whole(
        ((RunEvent.ChannelMessage) places.at(message.sequence()).event()).content());
  }

  /// Single events of a run's log. Neighbours are usually in one chunk, which is read once.
  private final class Places {
    private final Chunk head;
    private List<StoredEvent> near;

    Places(Chunk head) {
      this.head = head;
      this.near = head.events(EventCodec.RUNS);
    }

    /// The request, which the first chunk has whole.
    RunRequest request() {
      return ((RunState.Existing) RunFold.fold(RunState.absent(), head.events(EventCodec.RUNS)))
          .facts()
          .request();
    }

    StoredEvent at(long sequence) {
      if (sequence < near.getFirst().sequence() || near.getLast().sequence() < sequence) {
        near = log.chunkAt(head.key(), sequence).orElseThrow().events(EventCodec.RUNS);
      }
      return near.get((int) (sequence - near.getFirst().sequence()));
    }
  }
}
