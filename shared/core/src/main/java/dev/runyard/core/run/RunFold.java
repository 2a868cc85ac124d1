package dev.runyard.core.run;

import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.event.TaskBlocked;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.Attempt.Stage;
import dev.runyard.core.stream.Chain;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// `evolve`: the state that follows from a state and an event. Pure; runner, API, projection and
/// tests use the same fold.
public final class RunFold {
  private RunFold() {}

  public static RunState fold(RunState from, List<StoredEvent> events) {
    RunState state = from;
    for (StoredEvent event : events) {
      state = evolve(state, event);
    }
    return state;
  }

  /// The state after `stored`.
  ///
  /// @throws IllegalStateException when the event is not the next one, or follows a terminal event:
  ///   a log like that is broken, and nothing may be decided from it
  public static RunState evolve(RunState state, StoredEvent stored) {
    if (stored.sequence() != state.sequence() + 1) {
      throw new IllegalStateException(
          "event %d of %s follows %d"
              .formatted(stored.sequence(), stored.run().partition(), state.sequence()));
    }
    return switch (state) {
      case RunState.Absent _ -> begin(stored);
      case RunState.Closed _ ->
          throw new IllegalStateException(
              "event %d of %s follows the terminal event"
                  .formatted(stored.sequence(), stored.run().partition()));
      case RunState.Open open -> next(open, stored);
    };
  }

  /// A state from a snapshot, with what snapshots leave out added.
  public static RunState.Existing whole(
      RunState.Existing state, RunRequest request, Interactions interactions) {
    return switch (state) {
      case RunState.Open open -> with(open, open.facts().whole(request, interactions));
      case RunState.Closed closed -> closed;
    };
  }

  /// A state at the end of a chunk, with the chain up to there.
  public static RunState chained(RunState state, Chain chain) {
    return switch (state) {
      case RunState.Absent absent -> absent;
      case RunState.Open open -> with(open, open.facts().chained(chain));
      case RunState.Completed run ->
          new RunState.Completed(run.facts().chained(chain), run.attempt(), run.finishedAt());
      case RunState.Failed run ->
          new RunState.Failed(
              run.facts().chained(chain),
              run.attempt(),
              run.error(),
              run.phase(),
              run.finishedAt());
      case RunState.Cancelled run ->
          new RunState.Cancelled(
              run.facts().chained(chain), run.attempt(), run.reason(), run.finishedAt());
    };
  }

  private static RunState begin(StoredEvent stored) {
    if (!(stored.event() instanceof RunEvent.TaskCreated created)) {
      throw new IllegalStateException("a run begins with task.created, not " + stored.type());
    }
    Instant now = stored.timestamp();
    RunRequest request =
        new RunRequest(
            created.agent(),
            "",
            stored.sessionId(),
            created.extensions(),
            created.requires(),
            created.workingDir(),
            created.timeoutSeconds(),
            created.env(),
            created.tags(),
            created.retry(),
            List.of(),
            Objects.requireNonNullElse(created.bounds(), RunBounds.NONE),
            created.workspace(),
            created.webhook(),
            InThread.of(stored.run(), stored.turn()),
            created.item(),
            created.task());
    RunFacts facts =
        new RunFacts(
            stored.run(),
            request,
            now,
            null,
            stored.sequence(),
            now,
            now,
            0,
            Usage.NONE,
            null,
            Text.EMPTY,
            Text.EMPTY,
            Interactions.EMPTY,
            null,
            null,
            null,
            created.lifeSeconds());
    return new RunState.Created(facts, new RunState.Waiting(now, now, 0, 0, null, null));
  }

  private static RunState next(RunState.Open state, StoredEvent stored) {
    RunFacts facts = state.facts().after(stored);
    Instant now = stored.timestamp();
    return switch (stored.event()) {
      case RunEvent.TaskCreated _ -> throw new IllegalStateException("a run begins once");
      case RunEvent.TurnSubmitted turn -> with(state, facts.turn(turn));
      case RunEvent.TaskQueued queued -> queued(state, facts.form(queued.form()), queued, now);
      case TaskBlocked blocked -> blocked(state, facts, blocked, now);
      case RunEvent.CancelRequested cancel -> cancelling(state, facts, cancel.reason(), now);
      case RunEvent.AttemptStarted started -> started(state, facts, started, now);
      case RunEvent.ProcessStarted _ -> attempt(state, facts, a -> a.at(Stage.RUNNING));
      case RunEvent.ProcessCompleted done ->
          attempt(state, facts, a -> a.exited(new Attempt.Exit(done.exitCode(), done.signal())));
      case RunEvent.ProcessTerminated end -> left(state, facts, end.left());
      case RunEvent.ProcessFailed _ -> attempt(state, facts, a -> a.at(Stage.EXITED));
      case RunEvent.AttemptCompleted _ -> attempt(state, facts, a -> a.at(Stage.SUCCEEDED));
      case RunEvent.AttemptFailed failed -> failed(state, facts, failed.error());
      case ActionRequired required ->
          with(state, facts.interactions(facts.interactions().required(required, stored)));
      case RunEvent.ActionResolved resolved ->
          with(state, facts.interactions(facts.interactions().resolved(resolved, stored)));
      case RunEvent.ChannelMessage message ->
          with(state, facts.interactions(facts.interactions().accepted(message, stored)));
      case RunEvent.ProcessInput input ->
          with(state, facts.interactions(facts.interactions().taken(input, stored.sequence())));
      case RunEvent.TaskPaused _ -> paused(state, facts.resting(now));
      case RunEvent.TaskUpdated update ->
          putAside(state, facts.putAside(update.putAside(), now), now);
      case RunEvent.TaskRetrying _ -> rests(state, facts, now);
      case RunEvent.ModelDelta delta ->
          delta.part() == null || delta.part().textual()
              ? with(state, facts.text(facts.message().plus(delta.text()), facts.lastMessage()))
              : with(state, facts);
      case RunEvent.ModelCompleted _ ->
          with(state, facts.message().isEmpty() ? facts : facts.text(Text.EMPTY, facts.message()));
      case RunEvent.CostRecorded cost -> with(state, facts.used(cost.usage()));
      case RunEvent.SessionUpdated session -> with(state, facts.session(session.nativeSessionId()));
      case WorkspaceNotice.ContextResolved files -> with(state, facts.at(files.commit()));
      case RunEvent.TaskCompleted _ ->
          new RunState.Completed(facts, attemptOf(state).orElseThrow(RunFold::noAttempt), now);
      case RunEvent.TaskFailed failed ->
          new RunState.Failed(facts, attemptOf(state), failed.error(), "failed", now);
      case RunEvent.TaskTimedOut failed ->
          new RunState.Failed(facts, attemptOf(state), failed.error(), "timed_out", now);
      case RunEvent.TaskLost failed ->
          new RunState.Failed(facts, attemptOf(state), failed.error(), "lost", now);
      case RunEvent.TaskCancelled cancelled ->
          new RunState.Cancelled(facts, attemptOf(state), cancelled.reason(), now);
      case RunEvent.Scheduling _,
          RunEvent.Execution _,
          RunEvent.TurnEnd _,
          RunEvent.Output _,
          RunEvent.Interaction _,
          RunEvent.Notice _ ->
          with(state, facts);
    };
  }

  /// Without an attempt there is nothing to record it in.
  private static RunState left(RunState.Open state, RunFacts facts, int processes) {
    return switch (state) {
      case RunState.Claimed _ -> attempt(state, facts, attempt -> attempt.left(processes));
      case RunState.Created _, RunState.Retrying _, RunState.Paused _, RunState.CancellingIdle _ ->
          with(state, facts);
    };
  }

  /// A run of which nothing is running gives its place up at once.
  private static RunState putAside(RunState.Open state, RunFacts facts, Instant now) {
    return switch (state) {
      case RunState.Retrying run when facts.putAside() ->
          new RunState.Paused(facts.resting(now, run.last()), run.last());
      case RunState.Paused _ -> with(state, facts.resting(now));
      case RunState.Created _,
          RunState.Retrying _,
          RunState.InProgress _,
          RunState.CancellingIdle _,
          RunState.Cancelling _ ->
          with(state, facts);
    };
  }

  /// A run that is put aside is not queued for the attempt that is to follow.
  private static RunState rests(RunState.Open state, RunFacts facts, Instant now) {
    return state instanceof RunState.InProgress run && facts.putAside()
        ? new RunState.Paused(facts.resting(now, run.attempt()), run.attempt())
        : with(state, facts);
  }

  private static RunState paused(RunState.Open state, RunFacts facts) {
    return switch (state) {
      case RunState.InProgress run -> new RunState.Paused(facts, run.attempt().at(Stage.PAUSED));
      case RunState.Cancelling _ -> attempt(state, facts, attempt -> attempt.at(Stage.PAUSED));
      case RunState.Created _, RunState.Retrying _, RunState.Paused _, RunState.CancellingIdle _ ->
          throw noAttempt();
    };
  }

  private static RunState queued(
      RunState.Open state, RunFacts facts, RunEvent.TaskQueued queued, Instant now) {
    return switch (state) {
      case RunState.Created run -> new RunState.Created(facts, again(run.waiting(), queued, now));
      case RunState.Retrying run ->
          new RunState.Retrying(facts, run.last(), again(run.waiting(), queued, now));
      case RunState.InProgress run ->
          new RunState.Retrying(facts, run.attempt(), waiting(queued, now));
      case RunState.Paused run -> new RunState.Retrying(facts, run.last(), waiting(queued, now));
      case RunState.CancellingIdle _, RunState.Cancelling _ -> with(state, facts);
    };
  }

  private static RunState.Waiting waiting(RunEvent.TaskQueued queued, Instant now) {
    return new RunState.Waiting(
        now, now, queued.delaySeconds(), queued.resend(), queued.behind(), null);
  }

  private static RunState.Waiting again(
      RunState.Waiting before, RunEvent.TaskQueued queued, Instant now) {
    return new RunState.Waiting(
        since(before, queued, now),
        now,
        queued.delaySeconds(),
        queued.resend(),
        queued.behind(),
        before.blocked());
  }

  /// A run begins to wait for a runner when its turn comes.
  private static Instant since(RunState.Waiting before, RunEvent.TaskQueued queued, Instant now) {
    return before.behind() != null && queued.behind() == null ? now : before.since();
  }

  private static RunState.Waiting blocked(
      RunState.Waiting waiting, TaskBlocked blocked, Instant now) {
    RunState.Blocked before = waiting.blocked();
    return waiting.blocked(
        before == null
            ? new RunState.Blocked(blocked.cause(), blocked.error(), now, null)
            : before.then(blocked.cause(), blocked.error()));
  }

  private static RunState blocked(
      RunState.Open state, RunFacts facts, TaskBlocked blocked, Instant now) {
    return switch (state) {
      case RunState.Created run ->
          new RunState.Created(facts, blocked(run.waiting(), blocked, now));
      case RunState.Retrying run ->
          new RunState.Retrying(facts, run.last(), blocked(run.waiting(), blocked, now));
      case RunState.InProgress _,
          RunState.Paused _,
          RunState.CancellingIdle _,
          RunState.Cancelling _ ->
          with(state, facts);
    };
  }

  private static RunState cancelling(
      RunState.Open state, RunFacts facts, String reason, Instant now) {
    return switch (state) {
      case RunState.Created _, RunState.Retrying _, RunState.Paused _ ->
          new RunState.CancellingIdle(facts, reason, now);
      case RunState.InProgress run -> new RunState.Cancelling(facts, run.attempt(), reason, now);
      case RunState.CancellingIdle _, RunState.Cancelling _ -> with(state, facts);
    };
  }

  private static RunState started(
      RunState.Open state, RunFacts facts, RunEvent.AttemptStarted started, Instant now) {
    Attempt attempt =
        new Attempt(
            started.attempt(),
            started.attemptId(),
            started.runner(),
            started.ticket(),
            Stage.CLAIMED,
            now,
            null,
            null,
            started.continuation(),
            0);
    RunFacts begun =
        facts.attempt(
            started.attempt(), started.continuation(), now, attemptOf(state).orElse(null));
    return switch (state) {
      case RunState.Created _, RunState.Retrying _, RunState.InProgress _, RunState.Paused _ ->
          new RunState.InProgress(begun, attempt);
      case RunState.CancellingIdle run ->
          new RunState.Cancelling(begun, attempt, run.reason(), run.since());
      case RunState.Cancelling run ->
          new RunState.Cancelling(begun, attempt, run.reason(), run.since());
    };
  }

  private static RunState attempt(
      RunState.Open state, RunFacts facts, UnaryOperator<Attempt> change) {
    return switch (state) {
      case RunState.InProgress run -> new RunState.InProgress(facts, change.apply(run.attempt()));
      case RunState.Cancelling run ->
          new RunState.Cancelling(facts, change.apply(run.attempt()), run.reason(), run.since());
      case RunState.Created _, RunState.Retrying _, RunState.Paused _, RunState.CancellingIdle _ ->
          throw noAttempt();
    };
  }

  private static RunState failed(RunState.Open state, RunFacts facts, Failure why) {
    RunState ended = attempt(state, facts, attempt -> attempt.failed(why));
    return ended instanceof RunState.InProgress run && run.attempt().stage() == Stage.HANDED_BACK
        ? handedBack(run, run.attempt())
        : ended;
  }

  /// The run's time begins with an attempt that starts its agent.
  private static RunState handedBack(RunState.InProgress run, Attempt attempt) {
    RunFacts facts =
        attempt.startedAt().equals(run.facts().startedAt()) ? run.facts().notBegun() : run.facts();
    boolean noTry = !run.awaiting() && attempt.noTry() && !attempt.continuation();
    return new RunState.InProgress(
        noTry ? facts.interactions(facts.interactions().noTry()) : facts, attempt);
  }

  private static IllegalStateException noAttempt() {
    return new IllegalStateException("an attempt's event outside an attempt");
  }

  private static RunState.Open with(RunState.Open state, RunFacts facts) {
    return switch (state) {
      case RunState.Created run -> new RunState.Created(facts, run.waiting());
      case RunState.Retrying run -> new RunState.Retrying(facts, run.last(), run.waiting());
      case RunState.InProgress run -> new RunState.InProgress(facts, run.attempt());
      case RunState.Paused run -> new RunState.Paused(facts, run.last());
      case RunState.CancellingIdle run ->
          new RunState.CancellingIdle(facts, run.reason(), run.since());
      case RunState.Cancelling run ->
          new RunState.Cancelling(facts, run.attempt(), run.reason(), run.since());
    };
  }

  private static Optional<Attempt> attemptOf(RunState.Open state) {
    return switch (state) {
      case RunState.Created _, RunState.CancellingIdle _ -> Optional.empty();
      case RunState.Retrying run -> Optional.of(run.last());
      case RunState.Paused run -> Optional.of(run.last());
      case RunState.Claimed run -> Optional.of(run.attempt());
    };
  }
}
