package dev.runyard.simulator;

import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.inbox.SendMessage;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.ChangeQueue;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.thread.ThreadState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// A client that does the steps of a scenario in their order, each again until it is answered.
final class ScenarioClient implements Actor {
  private static final int FUNCTION_SECONDS = 15;
  private static final int TIMEOUT_SECONDS = 3600;
  private static final int AGAIN_MILLIS = 500;

  /// Until it asks again for what takes a while.
  private static final int LATER_SECONDS = 3;

  private final SimulatedCaller caller = new SimulatedCaller(Role.API, FUNCTION_SECONDS);
  private final SimulatedSystem system;
  private final UseCases api;
  private final RunLog reads;
  private final Promises promises;
  private final AgentMode mode;
  private final Instant began;
  private final Deque<ClientStep> steps;
  private final Map<String, RunKey> runs = new HashMap<>();
  private final TaskSteps tasks;
  private final Optional<HookTraffic> hooks;
  private Instant next;

  ScenarioClient(SimulatedSystem system, Promises promises, Scenario scenario) {
    this.system = system;
    this.mode = scenario.mode();
    this.api = system.useCases(system.ports(caller), system.clock(), "api");
    this.reads = api.runs();
    this.promises = promises;
    this.steps = new ArrayDeque<>(scenario.steps());
    this.tasks = new TaskSteps(api, mode);
    this.hooks =
        Optional.of(scenario.deliveries()).filter(n -> n > 0).map(system.others()::traffic);
    this.began = system.now();
    this.next = began;
  }

  Sessions sessions() {
    return new Sessions(
        api.sessionHistory(), system.tells(api.projectForReader()), reads, promises);
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    ClientStep step = steps.peek();
    if (step == null) {
      return Instant.MAX;
    }
    Instant due = began.plusSeconds(step.at());
    return due.isBefore(next) ? next : due;
  }

  @Override
  public void act() {
    next = system.now().plusMillis(AGAIN_MILLIS);
    ClientStep step = steps.removeFirst();
    boolean done = step instanceof ClientStep.Try;
    try {
      done |= does(step);
    } catch (PortUnavailable _) {
      return;
    } finally {
      if (!done) {
        steps.addFirst(step);
      }
    }
  }

  /// False if it has to be done again.
  private boolean does(ClientStep step) {
    return switch (step) {
      case ClientStep.Submit submit -> submit(submit);
      case ClientStep.Try one -> submit(one.submit());
      case ClientStep.Cancel cancel -> cancel(run(cancel));
      case ClientStep.Decide decide -> decide(run(decide), decide.decision());
      case ClientStep.Promote promote -> promote(run(promote));
      case ClientStep.Say say -> say(say);
      case ClientStep.Ended ended -> later(reads.load(run(ended)).closed());
      case ClientStep.Create create -> tasks.create(create.request());
      case ClientStep.Start start -> tasks.start(start.request());
      case ClientStep.Pause pause -> tasks.pause(pause.request());
      case ClientStep.Resume resume -> tasks.resume(resume.request());
      case ClientStep.Deliver one -> later(deliver(one));
    };
  }

  /// True once it has done all that it does.
  boolean done() {
    return steps.isEmpty();
  }

  private boolean later(boolean done) {
    if (!done) {
      next = system.now().plusSeconds(LATER_SECONDS);
    }
    return done;
  }

  @Override
  public String toString() {
    return steps.toString();
  }

  private RunKey run(ClientStep step) {
    return Objects.requireNonNull(runs.get(step.request()), "not submitted");
  }

  private boolean submit(ClientStep.Submit step) {
    RunRequest request =
        new RunRequest(
            "echo",
            step.request(),
            step.session(),
            Map.of(),
            List.of(),
            null,
            TIMEOUT_SECONDS,
            Map.of(),
            Map.ofEntries(Map.entry("request", step.request()), mode.tag()),
            step.retry());
    Optional<SubmitRun.Key> key = Optional.of(new SubmitRun.Key(step.request(), "print"));
    if (api.submitRun().submit(ClientActor.BY, request, key)
        instanceof SubmitRun.Result.Accepted accepted) {
      RunKey run = accepted.run().facts().run();
      runs.put(step.request(), run);
      promises.acknowledged.merge(run, accepted.run().sequence(), Math::max);
    }
    return later(runs.containsKey(step.request()));
  }

  private boolean cancel(RunKey run) {
    promises.cancelWanted.add(run);
    api.cancelRun().cancel(run, "client", ClientActor.BY.actor());
    return true;
  }

  /// Waits for the question; gives up when the run has ended without it.
  private boolean decide(RunKey run, ActionDecision decision) {
    RunState state = reads.load(run);
    if (!(state instanceof RunState.Existing existing)
        || existing.facts().interactions().actions().isEmpty()) {
      return state.closed();
    }
    Action action = existing.facts().interactions().actions().getFirst();
    ResolveAction resolve = api.resolveAction();
    if (resolve.resolve(run, action.actionId(), decision, null, ClientActor.BY.requester())
        instanceof ResolveAction.Result.Decided) {
      promises.decisions.put(action.actionId(), decision);
    }
    return true;
  }

  /// What waits behind it from then on begins later.
  private boolean promote(RunKey run) {
    if (reads.load(run) instanceof RunState.Existing state
        && api.changeQueue()
                .promote(ThreadTurns.In.of(state), run.runId(), true, ClientActor.BY.requester())
            instanceof ChangeQueue.Result.Done(ThreadState now)) {
      List<String> order = now.runs();
      promises.behind.put(run.runId(), order.subList(order.indexOf(run.runId()) + 1, order.size()));
    }
    return true;
  }

  private boolean say(ClientStep.Say say) {
    if (!tasks.created(say.request())) {
      var _ = tell(run(say), say.content());
      return true;
    }
    boolean told = tasks.running(say.request()).filter(run -> tell(run, say.content())).isPresent();
    return later(told || tasks.over(say.request()));
  }

  /// False for a run that takes no message.
  private boolean tell(RunKey run, String content) {
    SendMessage send = api.sendMessage(ScriptedAgents.CATALOG);
    String key = run.runId() + "/0";
    if (send.send(run, content, Optional.of(key), ClientActor.BY.requester())
        instanceof SendMessage.Result.Accepted accepted) {
      promises.messages.put(key, accepted.message().sequence());
      return true;
    }
    return false;
  }

  /// By a process that has taken none before.
  private boolean deliver(ClientStep.Deliver step) {
    HookTraffic to = hooks.orElseThrow();
    UseCases function = system.useCases(system.ports(caller), system.clock(), PlantedCallers.HOOKS);
    return to.deliver(to.receive(function, system.clock()), step.number(), step.renamed());
  }

  @Override
  public void crashed() {}
}
