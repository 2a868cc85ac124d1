package dev.runyard.core.submit;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.quota.RunAdmission;
import dev.runyard.core.request.Busy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.TurnOrder;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Accepts a validated request: binds its idempotency key, writes the first events, sends the queue
/// message unless the run waits for its turn. If the message could not be sent, that is not a
/// failure: `sweep` sends it again.
public final class SubmitRun {
  private final RunLog runs;
  private final EventLog log;
  private final TurnOrder turns;
  private final ThreadPlaces threads;
  private final SubmitKeys keys;
  private final InstantSource clock;
  private final Ids ids;
  private final Check check;
  private final RunAdmission quota;
  private final TaskStart tasks;
  private final Consumer<RunState.Existing> lists;

  /// Looks at what a request names outside of the log, before anything is written.
  @FunctionalInterface
  public interface Check {
    /// Why the request must not become a run of the tenant.
    Optional<Problem> refusal(String tenant, RunRequest request);

    /// The first refusal of two.
    static Check all(Check one, Check other) {
      return (tenant, request) ->
          one.refusal(tenant, request).or(() -> other.refusal(tenant, request));
    }
  }

  /// What may keep a request from becoming a run that starts now.
  ///
  /// @param running what a new turn may do to the one that its thread has
  /// @param quota asked last, since it counts what it admits
  /// @param tasks told of each run that is of a task, right before it is written
  /// @param lists shows a run that begins a thread at once: nothing else leads to its session
  public record Admission(
      TurnOrder turns,
      RunningTurn running,
      Check check,
      RunAdmission quota,
      TaskStart tasks,
      Consumer<RunState.Existing> lists) {
    /// Where no request says that it is not to wait, or is of a task.
    public Admission(TurnOrder turns, Check check, RunAdmission quota) {
      this(turns, RunningTurn.NONE, check, quota, TaskStart.NONE, _ -> {});
    }
  }

  public SubmitRun(
      RunLog runs,
      EventLog log,
      Admission admission,
      IdempotencyStore keys,
      InstantSource clock,
      Ids ids) {
    this.runs = runs;
    this.log = log;
    this.turns = admission.turns();
    this.threads = new ThreadPlaces(admission.turns(), admission.running());
    this.keys = new SubmitKeys(keys, clock);
    this.clock = clock;
    this.ids = ids;
    this.check = admission.check();
    this.quota = admission.quota();
    this.tasks = admission.tasks();
    this.lists = admission.lists();
  }

  /// Accepts the request, once for a `key` and for the turn it names.
  public Result submit(By by, RunRequest request, Optional<Key> key) {
    return once(by, request, key.stream().toList()).result();
  }

  /// Accepts the request once for all of its keys and the turn it names, each of which is bound to
  /// the run that the keys lead to; where they lead to several, the last one counts.
  public Once once(By by, RunRequest request, List<Key> allKeys) {
    RunRequest asked = SubmitKeys.named(request, allKeys);
    RunKey fresh = new RunKey(by.tenant(), ids.runId(clock.instant()));
    Optional<RunKey> running =
        asked.busy() == Busy.STEER ? threads.running(fresh, asked) : Optional.empty();
    return switch (keys.bind(running.orElse(fresh), asked, allKeys)) {
      case SubmitKeys.Bound.Mismatch mismatch ->
          new Once(new Result.Rejected(mismatch.problem()), false);
      case SubmitKeys.Bound.To(RunKey run) when run.equals(fresh) ->
          new Once(create(run, asked, by), false);
      case SubmitKeys.Bound.To(RunKey run) ->
          steered(run, asked, by)
              .map(told -> told(told, run, fresh, asked, by))
              .orElseGet(() -> known(run, asked, by));
    };
  }

  /// What became of a request that has several keys.
  ///
  /// @param repeated whether there was the run already
  public record Once(Result result, boolean repeated) {}

  /// A run may have been named and never written. If its first events are not kept any more, it is
  /// what its snapshot says.
  private Once known(RunKey run, RunRequest asked, By by) {
    if (log.chunkAt(run, 1).isPresent()) {
      return new Once(again(run, asked, by), true);
    }
    return runs.load(run) instanceof RunState.Existing old
        ? new Once(new Result.Accepted(old), true)
        : new Once(create(run, asked, by), false);
  }

  /// What the running turn made of the message; empty unless the request is one to that turn.
  private Optional<Result> steered(RunKey run, RunRequest asked, By by) {
    return asked.busy() == Busy.STEER
            && runs.load(run) instanceof RunState.Existing state
            && !asked.turnId().equals(Optional.of(state.facts().request().turnOf(run).turnId()))
        ? Optional.of(steer(state, asked, by))
        : Optional.empty();
  }

  private Result steer(RunState.Existing running, RunRequest asked, By by) {
    RunKey run = running.facts().run();
    String message = asked.turnId().orElseGet(ids::token);
    return threads
        .tell(run, asked.prompt(), message, by.requester())
        .<Result>map(Result.Rejected::new)
        .orElseGet(() -> new Result.Accepted(running, true));
  }

  /// A message that came too late for its turn becomes a turn of its own, as one does that finds
  /// none. While its turn is being cancelled, it is refused.
  private Once told(Result told, RunKey running, RunKey fresh, RunRequest asked, By by) {
    boolean late = told instanceof Result.Rejected && runs.load(running) instanceof RunState.Closed;
    return late ? known(keys.instead(fresh, asked), asked, by) : new Once(told, true);
  }

  private Result create(RunKey run, RunRequest asked, By by) {
    return switch (threads.find(run, asked)) {
      case ThreadPlaces.Found.Nowhere nowhere -> new Result.Rejected(nowhere.problem());
      case ThreadPlaces.Found.In(RunRequest placed) -> {
        Optional<Problem> refusal =
            threads
                .refusal(run, placed)
                .or(() -> check.refusal(run.tenant(), asked))
                .or(() -> threads.busy(run, placed));
        yield refusal.isPresent() ? new Result.Rejected(refusal.get()) : admit(run, placed, by);
      }
    };
  }

  private Result admit(RunKey run, RunRequest placed, By by) {
    return switch (quota.admit(run, placed)) {
      case RunAdmission.Verdict.Refused refused -> {
        threads.leave(run, placed);
        yield new Result.Rejected(refused.problem());
      }
      case RunAdmission.Verdict.Admitted admitted -> begin(run, admitted.request(), by);
    };
  }

  private Result begin(RunKey run, RunRequest admitted, By by) {
    return switch (threads.begin(run, admitted)) {
      case ThreadPlaces.Found.Nowhere nowhere -> withdrawn(run, admitted, nowhere.problem());
      case ThreadPlaces.Found.In(RunRequest request) ->
          switch (tasks.tell(run, request, by.requester())) {
            case TaskStart.Answer.Refused refused -> withdrawn(run, request, refused.problem());
            case TaskStart.Answer.Taken taken -> write(run, taken.request(), by);
          };
    };
  }

  private Result withdrawn(RunKey run, RunRequest request, Problem why) {
    threads.leave(run, request);
    quota.giveBack(run);
    return new Result.Rejected(why);
  }

  private Result write(RunKey run, RunRequest request, By by) {
    RunCommand.Submit submit = new RunCommand.Submit(request.decided(by.traceId()), by.requester());
    return switch (runs.execute(run, RunState.absent(), submit)) {
      case RunLog.Outcome.Done done -> {
        RunState.Existing accepted = (RunState.Existing) done.state();
        send(accepted, request.busy(), by);
        show(accepted);
        yield new Result.Accepted(accepted);
      }
      case RunLog.Outcome.Refused _ -> again(run, request, by);
      case RunLog.Outcome.Unchanged _, RunLog.Outcome.Deferred _ ->
          throw new IllegalStateException("a submit either makes a run or finds one");
    };
  }

  /// The same response as the first time: the run as it was accepted.
  private Result again(RunKey run, RunRequest asked, By by) {
    Optional<Chunk> first = log.chunkAt(run, 1);
    if (first.isEmpty()) {
      return create(run, asked, by);
    }
    if (asked.busy() == Busy.INTERRUPT && runs.load(run) instanceof RunState.Created waiting) {
      send(waiting, Busy.INTERRUPT, by);
    }
    return new Result.Accepted((RunState.Existing) RunLog.behind(RunState.absent(), first.get()));
  }

  /// Without an answer `project` does that.
  private void show(RunState.Existing run) {
    try {
      if (threads.isFirst(run)) {
        lists.accept(run);
      }
    } catch (PortUnavailable _) {
      return;
    }
  }

  /// Who interrupts has to know whether that was done.
  private void send(RunState.Existing run, Busy busy, By by) {
    if (busy == Busy.INTERRUPT) {
      turns.send(run, 0);
      threads.interrupt(run, by.requester());
      return;
    }
    try {
      turns.send(run, 0);
    } catch (PortUnavailable _) {
      return;
    }
  }

  /// Who submits.
  ///
  /// @param traceId of the trace that they say it is part of; null for none
  public record By(String tenant, Requester requester, @Nullable String traceId) {
    /// Somebody with a request that names no trace.
    public By(String tenant, Requester requester) {
      this(tenant, requester, null);
    }

    public By(String tenant, String actor) {
      this(tenant, Requester.of(actor));
    }

    /// Their name in events.
    public String actor() {
      return requester.actor();
    }
  }

  /// An idempotency key with the fingerprint of the request it came with.
  public record Key(String value, String fingerprint) {}

  /// What became of a request.
  public sealed interface Result {
    /// There is a run for it.
    ///
    /// @param steered whether that is the running turn, which got the request as a message
    record Accepted(RunState.Existing run, boolean steered) implements Result {
      public Accepted(RunState.Existing run) {
        this(run, false);
      }
    }

    record Rejected(Problem problem) implements Result {}
  }
}
