package dev.runyard.core.quota;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sends runs to the runners. A tenant with [QuotaLimit#RUNNING_RUNS] has that many places, and a
/// run's message is sent once the run has one; until then its log says that it is held, so that not
/// even ten thousand runs of one tenant stand before a run of another. A place is a run's until the
/// run ends, but not while it is paused. Whether that is so is read from the logs; the counts only
/// say which runs have places, so that the next caller repeats a lost step.
public final class RunPlaces {
  /// Most runs that one call sends because places are free.
  static final int FILL_RUNS_MAX = 100;

  private final Quotas quotas;
  private final TenantUses uses;
  private final HeldRuns held;
  private final RunLog runs;
  private final RunQueue queue;

  /// @param runs read from their snapshots
  public RunPlaces(Quotas quotas, Counts counts, RunLog runs, RunQueue queue) {
    this.quotas = quotas;
    this.uses = counts.uses();
    this.held = counts.held();
    this.runs = runs;
    this.queue = queue;
  }

  /// Who has places and who waits for one.
  public record Counts(TenantUses uses, HeldRuns held) {}

  /// Sends the run's message if the run has or gets a place, and holds it otherwise. A run that was
  /// at a runner before gets one even if there is none: who continues does not wait behind new
  /// runs.
  ///
  /// @return the run with that recorded
  public RunState.Existing send(RunState.Existing run, int delaySeconds) {
    RunKey key = run.facts().run();
    long most = most(key.tenant());
    if (most == Quota.UNLIMITED) {
      RunState.Existing sent = recorded(run, null);
      queue.send(message(run), delaySeconds);
      return sent;
    }
    if (!(run instanceof RunState.Created created)) {
      uses.place(key, Quota.UNLIMITED);
      return sent(run, delaySeconds);
    }
    if (uses.place(key, most)) {
      return created.waiting().held() ? sentOn(created, delaySeconds) : sent(run, delaySeconds);
    }
    held.add(key);
    RunState.Existing holds = recorded(run, RunState.Waiting.HELD);
    // Whoever freed a place before the run was there to be found did not find it.
    return uses.place(key, most) ? sent(holds, delaySeconds) : holds;
  }

  /// Takes a run out of what is counted, after it has ended, and sends those that wait for its
  /// place.
  public void ended(RunState.Closed run) {
    Quota quota = quotas.of(run.facts().run().tenant());
    if (quota.countsRuns()) {
      takeOut(run);
    }
    if (quota.has(QuotaLimit.RUNNING_RUNS)) {
      fill(run.facts().run().tenant());
    }
  }

  /// Lets others have the place of a run that rests without a process.
  public void paused(RunState.Paused run) {
    RunKey key = run.facts().run();
    if (most(key.tenant()) == Quota.UNLIMITED) {
      return;
    }
    uses.free(key, Optional.empty());
    if (runs.load(key) instanceof RunState.Open open && !(open instanceof RunState.Paused)) {
      uses.place(key, Quota.UNLIMITED);
      if (runs.load(key) instanceof RunState.Closed closed) {
        takeOut(closed);
      }
    }
    fill(key.tenant());
  }

  /// Sends runs that are held while there are places, oldest first; all, if there is no limit any
  /// more.
  void fill(String tenant) {
    long most = most(tenant);
    for (int i = 0; i < FILL_RUNS_MAX; i++) {
      List<RunKey> next = held.first(tenant, 1);
      if (next.isEmpty()) {
        return;
      }
      RunKey run = next.getFirst();
      if (!(runs.load(run) instanceof RunState.Created created)) {
        held.remove(run);
      } else if (most == Quota.UNLIMITED) {
        send(created, 0);
        held.remove(run);
      } else if (!uses.place(run, most)) {
        return;
      } else {
        sentOn(created, 0);
      }
    }
  }

  /// The first tenant after this one, in the order of their names, of which runs are held.
  Optional<String> nextHolding(String after) {
    return held.nextTenant(after);
  }

  /// Corrects the counts by a run's log: the end of a run may have been told of before its place
  /// was taken, and a submit may have died before its run was there.
  ///
  /// @param absent whether a run that is not there will never be
  void check(RunKey run, boolean absent) {
    switch (runs.load(run)) {
      case RunState.Absent _ -> {
        if (absent) {
          uses.free(run, Optional.of(new TenantUses.Ended(0, 0, Instant.EPOCH)));
        }
      }
      case RunState.Closed closed -> takeOut(closed);
      case RunState.Paused paused when paused.rests() -> paused(paused);
      case RunState.Open _ -> {}
    }
  }

  /// Sends a run that was held.
  private RunState.Existing sentOn(RunState.Existing run, int delaySeconds) {
    RunState.Existing sent = sent(run, delaySeconds);
    held.remove(run.facts().run());
    return sent;
  }

  /// Sends a run that has a place. If it has ended meanwhile, whoever ended it may have freed its
  /// place before it was taken.
  private RunState.Existing sent(RunState.Existing run, int delaySeconds) {
    RunKey key = run.facts().run();
    RunState.Existing now = recorded((RunState.Existing) runs.load(key), null);
    if (now instanceof RunState.Closed closed) {
      takeOut(closed);
      return now;
    }
    queue.send(message(now), delaySeconds);
    return now;
  }

  private static QueueMessage message(RunState.Existing run) {
    RunKey key = run.facts().run();
    return run.facts().request().item() == null ? QueueMessage.of(key) : QueueMessage.ofItem(key);
  }

  /// Records that a run is held, or that it waits for a runner, if its log does not say so yet.
  private RunState.Existing recorded(RunState.Existing run, @Nullable String behind) {
    return run instanceof RunState.Created created
            && !Objects.equals(created.waiting().behind(), behind)
        ? (RunState.Existing)
            runs.execute(run.facts().run(), run, new RunCommand.Turn(behind)).state()
        : run;
  }

  private void takeOut(RunState.Closed run) {
    RunKey key = run.facts().run();
    uses.free(
        key,
        Optional.of(TenantUses.Ended.of(run.facts().usage(), run.finishedAt()))
            .filter(_ -> quotas.of(key.tenant()).countsOpen()));
  }

  private long most(String tenant) {
    return quotas.of(tenant).most(QuotaLimit.RUNNING_RUNS);
  }
}
