package dev.runyard.testkit.simulator;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.usage.Usage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// One agent process. It plays its script from the beginning and is answered from the interactions
/// first, as [Interactions] says.
final class ScriptedAgent implements AgentHandle {
  private final Random random;
  private final InstantSource clock;
  private final String attemptId;
  private final RunKey run;
  private final AgentScript script;
  private final boolean pauses;
  private final Deque<AgentScript.Act> acts;
  private final Deque<AgentSignal> late = new ArrayDeque<>();
  private final Deque<InboxMessage> inbox = new ArrayDeque<>();
  private final Deque<InboxMessage> replayed = new ArrayDeque<>();
  private final Deque<Action> answers;
  private final Map<String, Action> decided = new HashMap<>();
  private final List<RunEvent> told = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private final boolean endsEarly;
  private @Nullable String waitsFor;
  private int actions;
  private long skipped;
  private Instant next;
  private boolean ended;
  private boolean killed;
  private boolean failed;

  ScriptedAgent(
      AgentScript script,
      RunFacts facts,
      Attempt attempt,
      Random random,
      InstantSource clock,
      Defect defect) {
    this.random = random;
    this.clock = clock;
    this.attemptId = attempt.id();
    this.run = facts.run();
    this.script = script;
    this.pauses = random.nextInt(4) > 0;
    this.next = clock.instant();
    this.acts = new ArrayDeque<>(script.acts());
    this.endsEarly = defect == Defect.OUTPUT_AFTER_EXIT;
    Interactions interactions = facts.interactions();
    this.answers = new ArrayDeque<>(interactions.answers());
    this.actions = interactions.actions().size();
    boolean goesOn = attempt.continuation() && defect != Defect.OUTPUT_REPEATED;
    this.skipped = goesOn ? interactions.outputs() : 0;
    if (defect == Defect.MESSAGE_TAKEN_TWICE) {
      inbox.addAll(interactions.messages());
    } else {
      replayed.addAll(interactions.messages());
    }
    this.waitsFor =
        interactions.actions().stream()
            .filter(action -> action.pending() || action.undelivered())
            .map(Action::actionId)
            .findFirst()
            .orElse(null);
  }

  @Override
  public List<AgentSignal> take(int max) {
    List<AgentSignal> taken = new ArrayList<>();
    while (taken.size() < max && !ended && !next.isAfter(clock.instant())) {
      int before = taken.size();
      if (!step(taken)) {
        break;
      }
      if (taken.size() > before) {
        next = next.plus(Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(4000) : 5));
      }
    }
    return taken;
  }

  /// When it next has something to tell, [Instant#MAX] while it waits or has ended.
  Instant nextAt() {
    if (ended) {
      return Instant.MAX;
    }
    if (!late.isEmpty()) {
      return next;
    }
    return switch (acts.peek()) {
      case null -> Instant.MAX;
      case AgentScript.Act.Tell _, AgentScript.Act.End _ -> next;
      case AgentScript.Act.Ask _ ->
          waitsFor == null || !answers.isEmpty() || decided.containsKey(waitsFor)
              ? next
              : Instant.MAX;
      case AgentScript.Act.Pop _ -> replayed.isEmpty() && inbox.isEmpty() ? Instant.MAX : next;
    };
  }

  /// True when it ended as its script says, and the script says that it fails.
  boolean failedByScript() {
    return failed;
  }

  /// Does the next act; false when there is none, or it has to wait.
  private boolean step(List<AgentSignal> out) {
    if (!late.isEmpty()) {
      out.add(late.removeFirst());
      ended = true;
      return true;
    }
    AgentScript.Act act = acts.peek();
    boolean done =
        switch (act) {
          case null -> false;
          case AgentScript.Act.Tell tell -> tell(tell.index(), out);
          case AgentScript.Act.Ask ask -> ask(ask, out);
          case AgentScript.Act.Pop _ -> pop(out);
          case AgentScript.Act.End end -> end(end.fails(), out);
        };
    if (done) {
      acts.poll();
    }
    return done;
  }

  private boolean tell(int index, List<AgentSignal> out) {
    if (skipped > 0) {
      skipped--;
      return true;
    }
    RunEvent event = output(index);
    told.add(event);
    if (endsEarly && acts.size() == 2) {
      acts.poll();
      return end(false, out);
    }
    out.add(new AgentSignal.Output(event));
    return true;
  }

  private boolean ask(AgentScript.Act.Ask ask, List<AgentSignal> out) {
    if (!answers.isEmpty()) {
      answers.poll();
      return true;
    }
    String id = waitsFor;
    if (id == null) {
      id = ActionId.of(run, ++actions);
      waitsFor = id;
      out.add(
          new AgentSignal.Asked(
              new Question(id, ask.type(), "May I?", null, List.of(), ask.timeoutSeconds(), null)));
    }
    Action answer = decided.get(id);
    if (answer == null) {
      return false;
    }
    out.add(new AgentSignal.Took(new AgentInput.Decided(answer), Optional.empty()));
    waitsFor = null;
    return true;
  }

  private boolean pop(List<AgentSignal> out) {
    InboxMessage message = replayed.poll();
    if (message != null) {
      heard.add(message.messageId());
      return true;
    }
    message = inbox.poll();
    if (message == null) {
      return false;
    }
    heard.add(message.messageId());
    out.add(new AgentSignal.Took(new AgentInput.Said(message), Optional.empty()));
    return true;
  }

  private boolean end(boolean fails, List<AgentSignal> out) {
    ended = true;
    failed = fails;
    out.add(
        new AgentSignal.Ended(
            Optional.of(new Attempt.Exit(fails ? 1 : 0, null)),
            100,
            fails ? Optional.of(Failure.backend("agent_failed", "It failed.")) : Optional.empty(),
            0));
    return true;
  }

  private RunEvent output(int i) {
    if (i % 5 == 3) {
      return new RunEvent.CostRecorded(new Usage(10, 0, i, 0, null), null);
    }
    return i % 5 == 4
        ? new RunEvent.ModelCompleted()
        : new RunEvent.ModelDelta(attemptId + "/" + i + " ");
  }

  @Override
  public void deliver(AgentInput input) {
    switch (input) {
      case AgentInput.Said said -> inbox.add(said.message());
      case AgentInput.Decided answer -> decided.put(answer.action().actionId(), answer.action());
    }
  }

  @Override
  public boolean canPause() {
    return pauses;
  }

  @Override
  public void pause() {
    stop();
  }

  @Override
  public void stop() {
    if (!killed && !ended) {
      killed = true;
      late.add(
          new AgentSignal.Ended(
              Optional.of(new Attempt.Exit(null, 15)),
              100,
              Optional.of(Failure.backend("killed", "It was ended.")),
              0));
      next = clock.instant().plusMillis(random.nextInt(2000));
    }
  }

  /// The machine is gone: nothing more is told.
  void vanish() {
    ended = true;
  }

  boolean gone() {
    return ended;
  }

  /// Every output told to the attempt, in order.
  List<RunEvent> told() {
    return told;
  }

  /// Every message the agent was given, in order, those from the interactions included.
  List<String> heard() {
    return heard;
  }

  /// The numbers of the texts its script has.
  List<Integer> texts() {
    return script.acts().stream()
        .filter(AgentScript.Act.Tell.class::isInstance)
        .map(act -> ((AgentScript.Act.Tell) act).index())
        .filter(index -> output(index) instanceof RunEvent.ModelDelta)
        .toList();
  }

  RunKey run() {
    return run;
  }
}
