package dev.runyard.core.attempt;

import dev.runyard.core.event.ModelNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import dev.runyard.core.usage.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;

/// Watches an agent: how long it has produced no output, and whether its run crosses a bound on its
/// time or on what its model calls use. Usage is counted as the agent reports it, on top of what
/// the run used before: only the attempt adds to it. Not thread-safe.
final class AttemptWatch {
  /// Running tools that are known; the oldest is forgotten.
  static final int TOOLS_MAX = 1_024;

  private final RunBounds bounds;
  private final SequencedSet<String> tools = new LinkedHashSet<>();
  private Usage used;
  private Optional<Failure> blocked = Optional.empty();
  private Instant toldAt;
  private Instant activeAt;

  AttemptWatch(RunFacts facts, Instant now) {
    this.toldAt = now;
    this.activeAt = now;
    this.bounds = facts.request().bounds();
    this.used = facts.usage();
  }

  /// Restarts the agent's silence: it was started, or waits for a person or for a log that does not
  /// answer.
  void active(Instant now) {
    activeAt = now;
  }

  void told(AgentSignal signal, Instant now) {
    toldAt = now;
    activeAt = now;
    switch (signal) {
      case AgentSignal.Output(RunEvent event) -> told(event);
      case AgentSignal.Asked _, AgentSignal.Took _, AgentSignal.Ended _ -> {}
    }
  }

  private void told(RunEvent event) {
    switch (event) {
      case RunEvent.CostRecorded cost -> used = used.plus(cost.usage());
      case ModelNotice.QuotaBlocked quota -> blocked = blocked.or(() -> reached(quota.bound()));
      case RunEvent.ToolStarted tool -> {
        tools.add(tool.toolCallId());
        if (tools.size() > TOOLS_MAX) {
          tools.removeFirst();
        }
      }
      case RunEvent.ToolEnd tool -> tools.remove(tool.toolCallId());
      case RunEvent.Output _,
          RunEvent.StateChange _,
          RunEvent.Interaction _,
          RunEvent.Notice _ -> {}
    }
  }

  /// True when the run has waited this long and the agent produced no output in that time: an agent
  /// that still works on something else is not disturbed.
  boolean quietFor(Duration grace, Interactions interactions, Instant now) {
    Instant since = interactions.awaitingSince();
    return since != null && !now.isBefore(since.plus(grace)) && !now.isBefore(toldAt.plus(grace));
  }

  /// True when the run's time is over; waiting for people does not count.
  boolean timeOver(RunState.Existing state, Instant now) {
    if (awaiting(state)) {
      return false;
    }
    RunFacts facts = state.facts();
    Instant started = facts.startedAt();
    return !now.isBefore(facts.stopAt(started == null ? facts.createdAt() : started));
  }

  private static boolean awaiting(RunState.Existing state) {
    return state instanceof RunState.InProgress run && run.awaiting();
  }

  /// Why the agent must stop, other than its time.
  Optional<Failure> crossed(RunState.Existing state, Instant now) {
    if (awaiting(state)) {
      active(now);
    }
    return spent().or(() -> idle(now) ? Optional.of(idleTimeout()) : Optional.empty());
  }

  /// The bound because of which a call of the model was refused; whatever the agent made of that,
  /// it is why the run ends.
  Optional<Failure> blocked() {
    return blocked;
  }

  /// The bound on usage that the run has crossed.
  Optional<Failure> spent() {
    if (blocked.isPresent()) {
      return blocked;
    }
    Integer turns = bounds.maxTurns();
    Long tokens = bounds.maxTokens();
    Double most = bounds.maxCostUsd();
    Double cost = used.costUsd();
    if (turns != null && used.turns() > turns) {
      return reached(RunBounds.MAX_TURNS);
    }
    if (tokens != null && used.tokens() > tokens) {
      return reached(RunBounds.MAX_TOKENS);
    }
    return most != null && cost != null && cost > most
        ? reached(RunBounds.MAX_COST_USD)
        : Optional.empty();
  }

  /// The failure of a run that has reached a bound, by the bound's name in a request.
  private static Optional<Failure> reached(String bound) {
    return switch (bound) {
      case RunBounds.MAX_TURNS ->
          spent(
              Failure.MAX_TURNS_REACHED,
              "The run had more answers of its model than max_turns allows. Raise max_turns or ask"
                  + " for less.");
      case RunBounds.MAX_TOKENS ->
          spent(
              Failure.MAX_TOKENS_REACHED,
              "The run used more tokens than max_tokens allows. Raise max_tokens or ask for"
                  + " less.");
      case RunBounds.MAX_COST_USD ->
          spent(
              Failure.MAX_COST_REACHED,
              "The run cost more than max_cost_usd allows. Raise max_cost_usd or ask for less.");
      case String _ -> Optional.empty();
    };
  }

  /// A running tool counts as silence only if the request sets the time.
  private boolean idle(Instant now) {
    Integer named = bounds.idleTimeoutSeconds();
    int seconds = named == null ? Limits.IDLE_SECONDS_DEFAULT : named;
    boolean counts = seconds > 0 && (named != null || tools.isEmpty());
    return counts && Duration.between(activeAt, now).toSeconds() >= seconds;
  }

  private static Optional<Failure> spent(String code, String message) {
    return Optional.of(new Failure(code, Category.CALLER, message));
  }

  private static Failure idleTimeout() {
    return new Failure(
        Failure.IDLE_TIMEOUT,
        Category.BACKEND,
        "The agent produced no output for idle_timeout_seconds and was stopped. Check what it had"
            + " done, then submit again or raise idle_timeout_seconds.");
  }
}
