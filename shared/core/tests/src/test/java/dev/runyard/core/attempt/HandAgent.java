package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An agent that does what its test says, and ends only when its test says so.
final class HandAgent implements AgentHandle {
  private final Deque<AgentSignal> signals = new ArrayDeque<>();
  private final List<RunFacts> launches = new ArrayList<>();
  private final List<String> lost = new ArrayList<>();
  private List<String> logAtLaunch = List.of();
  private final List<AgentInput> given = new ArrayList<>();
  private boolean interactive = true;
  private final List<List<String>> logAtKeep = new ArrayList<>();
  private final List<List<String>> logAtTake = new ArrayList<>();
  private final List<List<String>> logAtAbandon = new ArrayList<>();
  private CompletableFuture<@Nullable Void> ready = CompletableFuture.completedFuture(null);
  private CompletableFuture<@Nullable Void> taken = CompletableFuture.completedFuture(null);
  private final List<List<String>> logAtGiveBack = new ArrayList<>();
  private CompletableFuture<@Nullable Void> returned = CompletableFuture.completedFuture(null);
  private CompletableFuture<@Nullable Void> stored = CompletableFuture.completedFuture(null);
  private Keeping.Settled settled = Keeping.Settled.SILENTLY;
  private final List<Failure> refusals = new ArrayList<>();
  private CompletableFuture<Optional<AgentHandle>> refused =
      CompletableFuture.completedFuture(Optional.empty());
  private Pausable pausable = Pausable.YES;
  private @Nullable CompletableFuture<Pausable> checking;
  private boolean slow;
  private boolean looked;
  private int checks;
  private int stops;
  private boolean killed;

  AgentLauncher launchedBy(Supplier<List<String>> log) {
    return new AgentLauncher() {
      @Override
      public AgentStart prepare(RunFacts facts, Attempt attempt) {
        return new HandStart(facts, log);
      }

      @Override
      public Optional<Keeping> keep(boolean completed) {
        return Optional.of(new HandKeeping(log));
      }

      @Override
      public void endLost(RunKey run, String attemptId) {
        lost.add(attemptId);
      }
    };
  }

  /// A start whose parts are done when the test says so.
  private final class HandStart implements AgentStart {
    private final RunFacts facts;
    private final Supplier<List<String>> log;

    HandStart(RunFacts facts, Supplier<List<String>> log) {
      this.facts = facts;
      this.log = log;
    }

    @Override
    public String program() {
      return "hand";
    }

    @Override
    public boolean interactive() {
      return interactive;
    }

    @Override
    public Future<?> ready() {
      return ready;
    }

    @Override
    public Future<?> take() {
      logAtTake.add(log.get());
      return taken;
    }

    @Override
    public Future<?> giveBack() {
      logAtGiveBack.add(log.get());
      return returned;
    }

    @Override
    public void abandon() {
      logAtAbandon.add(log.get());
    }

    @Override
    public Future<Optional<AgentHandle>> refuse(Failure why) {
      refusals.add(why);
      return refused;
    }

    @Override
    public AgentHandle launch() {
      launches.add(facts);
      logAtLaunch = log.get();
      return HandAgent.this;
    }
  }

  private final class HandKeeping implements Keeping {
    private final Supplier<List<String>> log;

    HandKeeping(Supplier<List<String>> log) {
      this.log = log;
    }

    @Override
    public Future<?> stored() {
      return stored;
    }

    @Override
    public Future<Settled> settle(boolean ours) {
      if (ours) {
        logAtKeep.add(log.get());
      }
      return CompletableFuture.completedFuture(ours ? settled : Settled.SILENTLY);
    }
  }

  /// What it needs takes until [#ready].
  void needTime() {
    ready = new CompletableFuture<>();
  }

  void ready() {
    ready.complete(null);
  }

  /// Taking what an earlier attempt left takes until [#taken].
  void takeTime() {
    taken = new CompletableFuture<>();
  }

  void taken() {
    taken.complete(null);
  }

  /// Giving back what was taken takes until [#returned].
  void returnSlowly() {
    returned = new CompletableFuture<>();
  }

  void returned() {
    returned.complete(null);
  }

  /// What was prepared is told and kept, once [#refused] says what.
  void refuseSlowly() {
    refused = new CompletableFuture<>();
  }

  void refused(RunEvent... told) {
    tell(told);
    end(Optional.empty(), Optional.of(refusals.getLast()));
    refused.complete(Optional.of(this));
  }

  /// Why no agent was started though one was prepared.
  List<Failure> refusals() {
    return List.copyOf(refusals);
  }

  /// The log's contents each time something taken was given back.
  List<List<String>> logAtGiveBack() {
    return List.copyOf(logAtGiveBack);
  }

  /// Storing its session files takes until [#stored].
  void storeSlowly() {
    stored = new CompletableFuture<>();
  }

  void stored() {
    stored.complete(null);
  }

  /// The log's contents each time a start was abandoned.
  List<List<String>> logAtAbandon() {
    return List.copyOf(logAtAbandon);
  }

  /// The log's contents each time something an earlier attempt left was taken.
  List<List<String>> logAtTake() {
    return List.copyOf(logAtTake);
  }

  /// The log's contents each time the agent's session files were stored.
  List<List<String>> logAtKeep() {
    return List.copyOf(logAtKeep);
  }

  /// Its session files cannot be stored.
  void forgetful(RunEvent warning) {
    settled = Keeping.Settled.notKept(warning);
  }

  /// Its session files are stored without what must not be.
  void discreet(RunEvent warning) {
    settled = Keeping.Settled.kept(warning);
  }

  /// Never waits for a person.
  void alone() {
    interactive = false;
  }

  /// Keeps its place while it waits.
  void holdOn() {
    pausable = Pausable.NO;
  }

  /// The store does not answer whether it can be paused.
  void unanswered() {
    pausable = Pausable.UNANSWERED;
  }

  /// It can be paused again.
  void pausable() {
    pausable = Pausable.YES;
  }

  /// Finding out whether it can be paused takes until [#checked].
  void checkSlowly() {
    slow = true;
  }

  /// Finding out takes until somebody has looked at it once.
  void checkWithinAStep() {
    slow = true;
    looked = true;
  }

  void checked() {
    Objects.requireNonNull(checking).complete(pausable);
  }

  /// How often it was asked whether it can be paused.
  int checks() {
    return checks;
  }

  void ask(Question question) {
    signals.add(new AgentSignal.Asked(question));
  }

  void took(AgentInput input) {
    signals.add(new AgentSignal.Took(input, Optional.empty()));
  }

  void refuse(AgentInput input, String reason) {
    signals.add(new AgentSignal.Took(input, Optional.of(reason)));
  }

  /// The inputs it got, in order.
  List<AgentInput> given() {
    return given;
  }

  void tell(RunEvent... events) {
    for (RunEvent event : events) {
      signals.add(new AgentSignal.Output(event));
    }
  }

  void say(String... texts) {
    for (String text : texts) {
      tell(new RunEvent.ModelDelta(text));
    }
  }

  void succeed() {
    end(Optional.of(new Attempt.Exit(0, null)), Optional.empty());
  }

  void fail(String code) {
    end(
        Optional.of(new Attempt.Exit(1, null)),
        Optional.of(Failure.backend(code, "The agent failed.")));
  }

  /// The attempts whose remaining processes were to be ended.
  List<String> lost() {
    return List.copyOf(lost);
  }

  /// Dies of the signal that ends it.
  void die() {
    die(0);
  }

  /// Dies of the signal that ends it, but so many processes of it cannot be ended.
  void die(int processesLeft) {
    end(
        Optional.of(new Attempt.Exit(null, 15)),
        Optional.of(Failure.backend("agent_killed", "Signal 15 ended it.")),
        processesLeft);
  }

  void end(Optional<Attempt.Exit> exit, Optional<Failure> failure) {
    end(exit, failure, 0);
  }

  private void end(Optional<Attempt.Exit> exit, Optional<Failure> failure, int processesLeft) {
    signals.add(new AgentSignal.Ended(exit, 1200, failure, processesLeft));
  }

  List<RunFacts> launches() {
    return launches;
  }

  /// The types of the run's events when the agent was started.
  List<String> logAtLaunch() {
    return logAtLaunch;
  }

  int stops() {
    return stops;
  }

  /// Whether it was ended by force.
  boolean killed() {
    return killed;
  }

  /// Signals that were not taken.
  int waiting() {
    return signals.size();
  }

  @Override
  public List<AgentSignal> take(int max) {
    List<AgentSignal> taken = new ArrayList<>();
    while (taken.size() < max && !signals.isEmpty()) {
      taken.add(signals.remove());
    }
    return taken;
  }

  @Override
  public void deliver(AgentInput input) {
    given.add(input);
  }

  @Override
  public Future<Pausable> canPause() {
    checks++;
    CompletableFuture<Pausable> check =
        new CompletableFuture<>() {
          @Override
          public boolean isDone() {
            boolean done = super.isDone();
            if (looked) {
              complete(pausable);
            }
            return done;
          }
        };
    checking = check;
    if (!slow) {
      check.complete(pausable);
    }
    return check;
  }

  @Override
  public void pause() {
    stop(Stop.GENTLY);
  }

  @Override
  public void stop(Stop how) {
    stops++;
    killed |= how == Stop.AT_ONCE;
  }
}
